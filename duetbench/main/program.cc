// The functions of api/main.h: the parts of a program with duets, in order.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/api/flags.h"
#include "duetbench/api/main.h"
#include "duetbench/experiment/duet_request.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/measure_duets.h"
#include "duetbench/experiment/report_head.h"
#include "duetbench/experiment/suite_end.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/handshake.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/tool.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/report/text.h"
#include "duetbench/version.h"

namespace duetbench {
namespace {

// The data that the steps of one main pass on: users call them as separate functions.
struct Steps {
  std::optional<Flags> flags;
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
  absl::StatusOr<Flags> flags = ReadFlags(arguments, TrustedVariables());
  FailUnlessOk(flags.status());
  return *std::move(flags);
}

// Says that no `what` ("duet", "benchmark") matches the filter, which is an error.
ExitStatus NothingMatched(const char* what) {
  const std::string filter = benchmark::GetBenchmarkFilter();
  if (filter.empty() || filter == ".") {
    std::fprintf(stderr, "duetbench: this program has no %s\n", what);
    return kExitError;
  }
  const std::string hint = HintForRowName(filter, RegisteredDuets());
  std::fprintf(stderr, "duetbench: no %s matches --benchmark_filter=%s%s\n", what, filter.c_str(),
               hint.c_str());
  return kExitError;
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
  if (!instances.empty()) FailUnlessOk(reports.Begin());
  suite.entries = MeasureDuets(instances, flags, launcher, &reports);
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

void PrintHelp() { std::fputs(UsersHelp().c_str(), stdout); }

// Ends the program after --help or -h, after --help=all, which lists every flag, and after
// --version, a flag that Google Benchmark does not have.
void AnswerHelp(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--help=all") {
      benchmark::PrintDefaultHelp();
      std::fputs(FlagsHelp().c_str(), stdout);
      std::exit(kExitSuccess);
    }
    if (argument == "--help" || argument == "-h") {
      PrintHelp();
      std::exit(kExitSuccess);
    }
    if (argument == "--version") {
      std::puts("duetbench " DUETBENCH_VERSION_TEXT);
      std::exit(kExitSuccess);
    }
  }
}

// Takes what is only for duets out of argv, and writes the rest as this version of Google Benchmark
// reads it: in 1.7.1 seconds have no unit.
void RewriteArguments(int* argc, char** argv) {
  static auto* const rewritten = new std::deque<std::string>;  // argv refers to them
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    absl::string_view argument = argv[i];
    if (absl::StartsWith(argument, "--duet_")) continue;
    if (!internal::kReadsSeconds && absl::StartsWith(argument, "--benchmark_min_time=") &&
        absl::ConsumeSuffix(&argument, "s")) {
      argv[i] = rewritten->emplace_back(argument).data();
    }
    argv[kept++] = argv[i];
  }
  *argc = kept;
  argv[kept] = nullptr;
}

// Takes --benchmark_dry_run out of argv, where a version of Google Benchmark that does not know it
// left it, and sets the flags that have the same effect if it is a dry run.
void TakeDryRun(int* argc, char** argv, bool dry_run) {
  char** const end = std::remove_if(argv + 1, argv + *argc, [](absl::string_view argument) {
    return argument.substr(0, argument.find('=')) == "--benchmark_dry_run";
  });
  *argc = static_cast<int>(end - argv);
  *end = nullptr;
  if (!dry_run) return;
  SetGoogleBenchmarkFlags(
      {"--benchmark_min_time=0", "--benchmark_min_warmup_time=0", "--benchmark_repetitions=1"});
}

// --benchmark_list_tests: the names of ordinary benchmarks, then those of duets.
ExitStatus PrintNames(const std::string& filter, const std::vector<DuetInstance>& instances) {
  const std::string ordinary = NamesOfOrdinaryBenchmarks(filter);
  std::fputs(ordinary.c_str(), stdout);
  for (const DuetInstance& instance : instances) std::puts(Printable(instance.name.str()).c_str());
  return !ordinary.empty() || !instances.empty() ? kExitSuccess : NothingMatched("benchmark");
}

// "find/map_vs_btree_vs_flat/8" of a group whose first duet is "find/map_vs_btree/8".
std::string NameOfGroup(const DuetGroup& group, std::string first_name) {
  const std::string first = absl::StrCat(group.names[0], "_vs_", group.names[1]);
  const size_t place = first_name.find(first, group.prefix.size());
  if (place == std::string::npos) return first_name;
  return first_name.replace(place, first.size(), absl::StrJoin(group.names, "_vs_"));
}

// --duet_list: each duet with the seconds that it takes at most. Duets of one name are selected
// together by any filter: they are listed once. A group of more than two variants that is measured
// together is one line, which ends with a tab and the filter that selects its duets.
ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances) {
  std::set<std::string> listed;
  for (size_t i = 0; i < instances.size(); ++i) {
    std::vector<std::string> names;
    for (const size_t each : WithSameRuns(i, instances, flags)) {
      names.push_back(Printable(instances[each].name.str()));
    }
    if (!listed.insert(names.front()).second) continue;
    const DuetSpec& spec = *instances[i].spec;
    const double seconds = static_cast<double>(names.size()) * MaxSeconds(OptionsOf(spec, flags));
    const bool is_group = names.size() > 1;
    const std::string name = is_group ? NameOfGroup(*spec.group, names.front()) : names.front();
    const std::string filter = is_group ? absl::StrCat("\t", ExactFilter(names)) : "";
    std::printf("duet %.0f %s%s\n", std::ceil(seconds), name.c_str(), filter.c_str());
  }
  return instances.empty() ? NothingMatched("duet") : kExitSuccess;
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

ExitStatus RunOnce(benchmark::BenchmarkReporter* display_reporter,
                   benchmark::BenchmarkReporter* file_reporter,
                   const std::optional<std::string>& only) {
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
  return RunWith(own, only);
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
    ServeAssignedRun(*run);
  }
}

ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter,
                                  benchmark::BenchmarkReporter* file_reporter) {
  return RunOnce(display_reporter, file_reporter, std::nullopt);
}

ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter,
                                  benchmark::BenchmarkReporter* file_reporter,
                                  const std::string& spec) {
  return RunOnce(display_reporter, file_reporter, spec);
}

void DescribePrograms(ProgramsCompared programs) { ThisMain().programs = std::move(programs); }

int Main(int argc, char** argv) {
  Initialize(&argc, argv);
  if (ReportUnrecognizedArguments(argc, argv)) return kExitError;
  const ExitStatus status = RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return status;
}

}  // namespace duetbench
