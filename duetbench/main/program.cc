// The functions of api/main.h: the parts of a program with duets, in order.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_split.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/api/main.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/measure_duets.h"
#include "duetbench/experiment/report_head.h"
#include "duetbench/experiment/suite_end.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/handshake.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/command_line.h"
#include "duetbench/main/tool.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// The data that the steps of one main pass on: users call them as separate functions.
struct Steps {
  std::optional<Flags> flags;
  benchmark::MemoryManager* memory_manager = nullptr;
  std::optional<ProgramsCompared> programs;
};

Steps& ThisMain() {
  static Steps* const steps = new Steps;
  return *steps;
}

void PrintError(const absl::Status& status) {
  std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
}

[[noreturn]] void Fail(const absl::Status& status) {
  PrintError(status);
  std::exit(kExitError);
}

void FailUnlessOk(const absl::Status& status) {
  if (!status.ok()) Fail(status);
}

Flags ReadFlagsOrFail(const std::vector<std::string>& arguments) {
  // A program with the rights of another user (set-user-ID) does not do what the environment says:
  // its flags name files to write.
  absl::StatusOr<Flags> flags = ReadFlags(arguments, secure_getenv);
  FailUnlessOk(flags.status());
  return *std::move(flags);
}

// Those that have a selected instance.
std::vector<const DuetSpec*> SpecsOf(const std::vector<DuetInstance>& instances) {
  std::vector<const DuetSpec*> specs;
  for (const DuetInstance& instance : instances) {
    if (specs.empty() || specs.back() != instance.spec) specs.push_back(instance.spec);
  }
  return specs;
}

// Finds out before anything is measured what else would be found out at the end.
void Prepare(const Flags& flags, const std::vector<DuetInstance>& instances, Launcher* launcher,
             ReportsOptions* reports) {
  FailUnlessOk(launcher->OpenPairsFile());
  absl::StatusOr<SuiteHeader> header =
      DescribeSuite(flags, SpecsOf(instances), ThisMain().programs, instances.size(), launcher);
  FailUnlessOk(header.status());
  reports->header = std::move(header->lines);
  reports->json_context = std::move(header->json_context);
  // Google Benchmark's own counters are inherited by the processes of the runs and would take the
  // PMU from them (where it was built with libpfm; else it only complains).
  if (!flags.perf_counters.empty()) {
    SetGoogleBenchmarkFlags({"--benchmark_perf_counters="});
  }
}

// The last part of RunAll: what was measured is written.
ExitStatus End(const Flags& flags, Launcher* launcher, Reports* reports, MeasuredSuite suite) {
  suite.command_line = launcher->command_line();
  suite.seed = flags.options.seed;
  Summarize(flags, &suite);
  const bool has_summary = suite.summary.duets > 0;
  for (const absl::Status& status : {reports->Finish(has_summary ? SummaryJson(suite.summary) : ""),
                                     launcher->CommitPairsFile()}) {
    if (status.ok()) continue;
    PrintError(status);
    ++suite.errors;
  }
  if (!suite.entries.empty() && launcher->machine().ok()) suite.cpus = launcher->machine()->cpus;
  suite.errors += reports->ordinary_errors() +
                  static_cast<int>(std::count_if(
                      suite.entries.begin(), suite.entries.end(),
                      [](const SuiteEntry& entry) { return entry.comparison.is_error(); }));
  suite.text_to_stderr = flags.format != "console";
  const int status = EndSuite(std::move(suite), flags);
  return launcher->interrupted() ? ExitStatusOfSignal(*InterruptSignal())
                                 : static_cast<ExitStatus>(status);
}

ExitStatus RunAll(const Flags& flags, ReportsOptions reports_options, const std::string& filter,
                  const std::vector<const DuetSpec*>& specs,
                  const std::vector<DuetInstance>& instances, Launcher* launcher) {
  // Beyond a limit on the size of files, write() then fails with a cause that can be told, and what
  // was measured is printed. Spawn() restores it for variants.
  std::signal(SIGXFSZ, SIG_IGN);
  FailUnlessOk(CheckFreeDescriptors());
  FailUnlessOk(CheckDistinctOutputs(flags));
  if (!specs.empty()) Prepare(flags, instances, launcher, &reports_options);
  MeasuredSuite suite;
  absl::StatusOr<SuiteFiles> files = OpenSuiteFiles(flags);
  FailUnlessOk(files.status());
  suite.files = *std::move(files);
  suite.header = reports_options.header;
  Reports* running = nullptr;
  reports_options.after_ordinary_rows = [&] {
    if (!launcher->interrupted()) return;
    const ExitStatus status = End(flags, launcher, running, std::move(suite));
    std::fflush(nullptr);
    std::exit(status);
  };
  Reports reports(flags, std::move(reports_options), instances);
  running = &reports;
  {
    const InterruptGuard guard(
        "\nduetbench: the program ends when this benchmark is over, with what was measured; a "
        "second signal ends it at once\n");
    const absl::StatusOr<size_t> ordinary = reports.RunOrdinary(filter);
    FailUnlessOk(ordinary.status());
    if (*ordinary + instances.size() == 0) return NothingMatched("benchmark");
  }
  const InterruptGuard guard;
  const DuetSettings settings = {flags, ThisMain().memory_manager};
  if (!instances.empty()) FailUnlessOk(reports.Begin());
  suite.entries = MeasureDuets(instances, settings, launcher, &reports);
  suite.not_begun = static_cast<int>(instances.size() - suite.entries.size());
  return End(flags, launcher, &reports, std::move(suite));
}

// All output must have arrived: a full disk is found out here. Returns `status`, or the
// error.
ExitStatus AfterOutput(ExitStatus status) {
  std::cout.flush();
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (written) return status;
  std::fprintf(stderr, "duetbench: the output could not be written to stdout\n");
  return status == kExitSuccess || status == kExitGateFailed || status == kExitSkipped ? kExitError
                                                                                       : status;
}

// Those of two programs are what Google Benchmark allows.
absl::Status CheckNames(const std::vector<const DuetSpec*>& specs) {
  std::vector<const DuetSpec*> own;
  std::copy_if(specs.begin(), specs.end(), std::back_inserter(own),
               [](const DuetSpec* spec) { return spec->programs == nullptr; });
  if (own.empty()) return absl::OkStatus();
  return CheckDistinctNames(
      own, absl::StrSplit(NamesOfOrdinaryBenchmarks("."), '\n', absl::SkipEmpty()));
}

ExitStatus RunWith(const ReportsOptions& own, const std::optional<std::string>& only) {
  if (!ThisMain().flags.has_value()) ThisMain().flags = ReadFlagsOrFail({});
  const Flags& flags = *ThisMain().flags;
  if (own.own_file != nullptr && flags.benchmark_out.empty()) {
    Fail(absl::InvalidArgumentError(
        "RunSpecifiedBenchmarks got a reporter for a file: name the file with --benchmark_out"));
  }
  const std::string text = only.value_or(benchmark::GetBenchmarkFilter());
  const absl::StatusOr<NameFilter> filter = NameFilter::Parse(text);
  FailUnlessOk(filter.status());
  const std::vector<const DuetSpec*> specs = RegisteredDuets();
  const std::vector<DuetInstance> instances = SelectDuets(specs, *filter);
  WithdrawPlaceholders();
  FailUnlessOk(CheckNames(specs));
  if (flags.list) return AfterOutput(PrintDuets(flags, instances));
  const std::string ordinary_filter = text.empty() ? "." : text;
  if (flags.list_tests) {
    return AfterOutput(PrintNames(ordinary_filter, instances));
  }
  FailUnlessOk(CheckDemandedGate(flags, instances));
  Launcher launcher(CommandLineOfThisProcess(), flags.cpus, flags.out,
                    flags.lock && !flags.options.dry_run);
  return AfterOutput(RunAll(flags, own, ordinary_filter, specs, instances, &launcher));
}

}  // namespace

void Initialize(int* argc, char** argv) {
  AnswerHelp(*argc, argv);
  const std::vector<std::string> arguments(argv, argv + *argc);
  ThisMain().flags = ReadFlagsOrFail(arguments);
  RewriteArguments(argc, argv);
  benchmark::Initialize(argc, argv, PrintHelp);
  TakeDryRun(argc, argv, ThisMain().flags->options.dry_run);
}

bool ReportUnrecognizedArguments(int argc, char** argv) {
  if (argc <= 1) return false;
  PrintError(UnknownArgument(argv[1]));
  return true;
}

void ServeParent() {
  AnswerHandshake();
  if (const std::optional<AssignedRun>& run = RunOfThisProcess()) {
    ServeAssignedRun(*run, ThisMain().memory_manager);
  }
}

ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter,
                                  benchmark::BenchmarkReporter* file_reporter,
                                  std::optional<std::string> spec) {
  ServeParent();
  // A benchmark that calls this would never end.
  static std::atomic<bool> is_running{false};
  if (is_running.exchange(true)) {
    Fail(absl::FailedPreconditionError(
        "RunSpecifiedBenchmarks was called by a benchmark that it runs"));
  }
  // A reporter of the user may throw.
  const absl::Cleanup at_end = [] { is_running = false; };
  ReportsOptions own;
  own.own_display = display_reporter;
  own.own_file = file_reporter;
  return RunWith(own, spec);
}

void DescribePrograms(ProgramsCompared programs) { ThisMain().programs = std::move(programs); }

void RegisterMemoryManager(benchmark::MemoryManager* manager) {
  ThisMain().memory_manager = manager;
  benchmark::RegisterMemoryManager(manager);
}

int Main(int argc, char** argv) {
  Initialize(&argc, argv);
  if (ReportUnrecognizedArguments(argc, argv)) return kExitError;
  const ExitStatus status = RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return status;
}

}  // namespace duetbench
