// The functions of api/main.h: the parts of a program with duets, in order.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/api/main.h"
#include "duetbench/api/option_rules.h"
#include "duetbench/counters/survey.h"
#include "duetbench/experiment/this_process.h"
#include "duetbench/google_benchmark/filter_hint.h"
#include "duetbench/google_benchmark/google_benchmark_flags.h"
#include "duetbench/google_benchmark/placeholder.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/google_benchmark/versions.h"
#include "duetbench/main/handshake.h"
#include "duetbench/main/interrupt.h"
#include "duetbench/main/measure_duets.h"
#include "duetbench/main/program_options.h"
#include "duetbench/main/suite_end.h"
#include "duetbench/main/tool.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/context.h"
#include "duetbench/report/counter_format.h"
#include "duetbench/version.h"

namespace duetbench {
namespace {

// What the steps of one main hand to each other: users call them as separate functions.
struct Steps {
  std::optional<ProgramOptions> options;
  benchmark::MemoryManager* memory_manager = nullptr;
  std::optional<ProgramsCompared> programs;
};

Steps& ThisMain() {
  static Steps* const steps = new Steps;
  return *steps;
}

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
  std::exit(kExitError);
}

void FailUnlessOk(const absl::Status& status) {
  if (!status.ok()) Fail(status);
}

void PrintHelp() {
  benchmark::PrintDefaultHelp();
  std::fputs(FlagsHelp().c_str(), stdout);
}

// Ends the program at --version, a flag that Google Benchmark does not have.
void AnswerVersion(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (absl::string_view(argv[i]) != "--version") continue;
    std::puts("duetbench " DUETBENCH_VERSION_TEXT);
    std::exit(kExitSuccess);
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
// left it, and sets the flags that have the same effect.
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

std::string NameOfFile(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool UseColor(const std::string& flag) {
  if (flag != "auto" && !flag.empty()) return IsTruthy(flag);
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

// Of the terminal that stdout is; 0 if it is none.
int TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

ExitStatus NothingMatched(const char* what) {
  const std::string filter = benchmark::GetBenchmarkFilter();
  const std::string hint = HintForRowName(filter, RegisteredDuets());
  std::fprintf(stderr, "duetbench: no %s matches --benchmark_filter=%s%s\n", what, filter.c_str(),
               hint.c_str());
  return kExitError;
}

class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

// --benchmark_list_tests: the names of ordinary benchmarks, then those of duets.
ExitStatus PrintNames(const std::string& filter, const std::vector<DuetInstance>& instances) {
  std::ostringstream names;
  std::ostringstream messages;  // that no ordinary benchmark matches
  SilentReporter reporter;
  reporter.SetOutputStream(&names);
  reporter.SetErrorStream(&messages);
  SetGoogleBenchmarkFlags({"--benchmark_out="});
  const size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, filter);
  std::fputs(names.str().c_str(), stdout);
  for (const DuetInstance& instance : instances) std::puts(instance.name.str().c_str());
  return matched + instances.size() > 0 ? kExitSuccess : NothingMatched("benchmark");
}

// A gate that the command line demands must be measured: whatever prevents it is an error.
absl::Status CheckDemandedGate(const ProgramOptions& options,
                               const std::vector<DuetInstance>& instances) {
  const char* const flag = options.flags.options.gate.has_value() ? "--duet_max_ratio"
                           : !options.flags.options.counter_gates.empty()
                               ? "--duet_max_counter_ratio"
                               : nullptr;
  if (flag == nullptr) return absl::OkStatus();
  if (instances.empty()) {
    return absl::NotFoundError(absl::StrCat(
        flag, ": a gate was demanded, and --benchmark_filter=", benchmark::GetBenchmarkFilter(),
        " selects no duet", HintForRowName(benchmark::GetBenchmarkFilter(), RegisteredDuets())));
  }
  const char* const instead = options.google_benchmark.dry_run ? "--benchmark_dry_run"
                              : options.flags.aa               ? "--duet_aa"
                              : options.flags.calibrate        ? "--duet_calibrate"
                                                               : nullptr;
  if (instead == nullptr || !options.gate_on_command_line) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": a gate was demanded, and ", instead, " measures none; leave one out"));
}

// --duet_list. Duets of one name are selected together by any filter: they are listed once.
ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances) {
  std::set<std::string> listed;
  for (const DuetInstance& instance : instances) {
    const std::string name = instance.name.str();
    if (!listed.insert(name).second) continue;
    const double seconds = MaxSeconds(OptionsOf(*instance.spec, flags), instance.repetitions);
    std::printf("duet %.0f %s\n", std::ceil(seconds), name.c_str());
  }
  return instances.empty() ? NothingMatched("duet") : kExitSuccess;
}

// The library does not know how the variants are compiled; the file that registers them does.
std::vector<std::string> UnoptimizedLines(const std::vector<const DuetSpec*>& specs) {
  const auto is_unoptimized = [](const DuetSpec* spec) { return !spec->location.is_optimized; };
  const auto first = std::find_if(specs.begin(), specs.end(), is_unoptimized);
  if (first == specs.end()) return {};
  return {absl::StrCat(
      "duetbench: warning: ", std::count_if(specs.begin(), specs.end(), is_unoptimized), " of ",
      specs.size(), " benchmarks are compiled without optimization (",
      NameOfFile((*first)->location.file), "): their ratio says nothing about a release; ",
      "build with -O2 (CMAKE_BUILD_TYPE=Release)")};
}

// Finds out before anything is measured what else would be found out at the end. Returns what the
// header of the console says about duets, and the context of JSON.
void Prepare(const ProgramOptions& options, const std::vector<const DuetSpec*>& specs,
             ExperimentHost* host, ReportsOptions* reports) {
  FailUnlessOk(host->OpenPairsFile());
  const absl::StatusOr<Machine>& machine = host->machine();
  FailUnlessOk(machine.status());
  const ComparisonOptions experiment = MakeComparisonOptions(options.flags.options, {});
  reports->console.header = HeaderLines(*machine, experiment);
  reports->json_context = ContextEntries(*machine, experiment);
  if (!ThisMain().programs.has_value() && experiment.layouts != 1 && experiment.runs != 1 &&
      !host->link_layouts().ok()) {
    reports->console.header.push_back(
        absl::StrCat("duetbench: warning: one layout only: ",
                     std::string(host->link_layouts().status().message())));
  }
  if (const std::optional<ProgramsCompared>& programs = ThisMain().programs) {
    reports->console.header.insert(
        reports->console.header.begin(),
        absl::StrCat("duetbench: old is ", programs->old_program, ", new is ",
                     programs->new_program, programs->remark));
    reports->json_context.emplace_back("duet_old", programs->old_program);
    reports->json_context.emplace_back("duet_new", programs->new_program);
  }
  const auto called = std::count_if(specs.begin(), specs.end(), [](const DuetSpec* spec) {
    const auto& variants = spec->functions.variants;
    return variants[0]->is_called_for_each_sample() || variants[1]->is_called_for_each_sample();
  });
  if (called > 0) {
    reports->console.header.push_back(
        absl::StrCat("duetbench: functions of benchmark::State& in ", called, " of ", specs.size(),
                     " benchmarks: each of their samples is one call, set-up included but not "
                     "timed"));
  }
  if (!options.google_benchmark.dry_run) {
    for (const std::string& line : UnoptimizedLines(specs)) {
      reports->console.header.push_back(line);
    }
  }
  const EventSurvey& survey =
      host->Survey(EventNames(options.google_benchmark.perf_counters, specs));
  if (options.flags.require_counters && !survey.missing.empty()) {
    Fail(absl::UnavailableError(absl::StrCat("--duet_require_counters: ",
                                             absl::StrJoin(MissingLines(survey.missing), "\n"))));
  }
  for (const std::string& line : CounterHeaderLines(survey)) {
    reports->console.header.push_back(absl::StrCat("duetbench: ", line));
  }
  // Google Benchmark's own counters are inherited by the processes of the runs and would take the
  // PMU from them (where it was built with libpfm; else it only complains).
  if (!options.google_benchmark.perf_counters.empty()) {
    SetGoogleBenchmarkFlags({"--benchmark_perf_counters="});
  }
}

ReportsOptions MakeReportsOptions(const ProgramOptions& options) {
  const GoogleBenchmarkFlags& flags = options.google_benchmark;
  ReportsOptions reports;
  // The table is of old against new.
  reports.format = options.flags.aa ? "" : flags.format;
  reports.out = flags.out;
  reports.out_format = flags.out_format;
  reports.console.color = UseColor(flags.color);
  reports.console.tabular = flags.counters_tabular;
  reports.console.columns = TerminalColumns();
  reports.report_aggregates_only = flags.report_aggregates_only;
  reports.display_aggregates_only = flags.display_aggregates_only;
  return reports;
}

int CountErrors(const std::vector<SuiteEntry>& entries) {
  return static_cast<int>(
      std::count_if(entries.begin(), entries.end(),
                    [](const SuiteEntry& entry) { return ErrorOf(entry) != nullptr; }));
}

void PrintError(const absl::Status& status) {
  std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
}

absl::Status CheckDistinctOutputs(const ProgramOptions& options) {
  std::vector<NamedPath> paths = {{"--benchmark_out", options.google_benchmark.out},
                                  {"--duet_out", options.flags.out},
                                  {"--duet_summary", options.flags.summary}};
  for (NamedPath& path : SuiteFilePaths(options.flags)) paths.push_back(std::move(path));
  return CheckDistinct(paths);
}

// Google Benchmark reads what it reports about the machine from files, and ends the program with
// status 1 if it cannot open them.
absl::Status CheckFreeDescriptors() {
  constexpr int kNeeded = 8;
  int opened[kNeeded];
  int count = 0;
  while (count < kNeeded && (opened[count] = open("/", O_RDONLY | O_CLOEXEC)) >= 0) ++count;
  const int error = errno;
  for (int i = 0; i < count; ++i) close(opened[i]);
  if (count == kNeeded) return absl::OkStatus();
  return absl::ErrnoToStatus(error, "no descriptors are free for files and processes");
}

// The last part of RunAll: what was measured is written.
ExitStatus End(const ProgramOptions& options, ExperimentHost* host, Reports* reports,
               MeasuredSuite suite) {
  for (const absl::Status& status : {reports->Finish(), host->CommitPairsFile()}) {
    if (status.ok()) continue;
    PrintError(status);
    ++suite.errors;
  }
  const Flags& flags = options.flags;
  if (flags.ctest && !flags.aa && !host->interrupted()) {
    for (const SuiteEntry& entry : suite.entries) {
      std::fputs(CtestMeasurements(entry.comparison).c_str(), stdout);
    }
  }
  suite.command_line = host->command_line();
  suite.seed = flags.options.seed.value_or(0);
  if (!suite.entries.empty() && host->machine().ok()) suite.cpus = host->machine()->cpus;
  suite.errors += reports->ordinary_errors() + CountErrors(suite.entries);
  suite.text_to_stderr = options.google_benchmark.format != "console";
  const int status = EndSuite(std::move(suite), flags);
  return host->interrupted() ? ExitStatusOfSignal(*InterruptSignal())
                             : static_cast<ExitStatus>(status);
}

ExitStatus RunAll(const ProgramOptions& options, const std::string& filter,
                  const std::vector<const DuetSpec*>& specs,
                  const std::vector<DuetInstance>& instances, ExperimentHost* host) {
  const Flags& flags = options.flags;
  FailUnlessOk(CheckFreeDescriptors());
  FailUnlessOk(CheckDistinctOutputs(options));
  ReportsOptions reports_options = MakeReportsOptions(options);
  if (!specs.empty()) Prepare(options, specs, host, &reports_options);
  MeasuredSuite suite;
  absl::StatusOr<SuiteFiles> files = OpenSuiteFiles(flags);
  FailUnlessOk(files.status());
  suite.files = *std::move(files);
  suite.header = reports_options.console.header;
  Reports* running = nullptr;
  reports_options.after_ordinary_rows = [&] {
    if (!host->interrupted()) return;
    const ExitStatus status = End(options, host, running, std::move(suite));
    std::fflush(nullptr);
    std::exit(status);
  };
  Reports reports(std::move(reports_options), instances);
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
  const DuetSettings settings = {flags, options.google_benchmark.perf_counters,
                                 options.google_benchmark.random_interleaving,
                                 ThisMain().memory_manager};
  if (!instances.empty()) FailUnlessOk(reports.Begin());
  suite.entries = flags.aa ? MeasureSelfComparisons(instances, settings, host)
                           : MeasureDuets(instances, settings, host, &reports, &suite.controls);
  return End(options, host, &reports, std::move(suite));
}

// What was printed must have arrived: a full disk is found out here. Returns `status`, or the
// error.
ExitStatus AfterOutput(ExitStatus status) {
  std::cout.flush();
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (written) return status;
  std::fprintf(stderr, "duetbench: the output could not be written to stdout\n");
  return status == kExitSuccess || status == kExitGateFailed || status == kExitSkipped ? kExitError
                                                                                       : status;
}

// One call at a time: a benchmark that calls RunSpecifiedBenchmarks would never end.
class OnlyCall {
 public:
  OnlyCall() {
    if (running_.exchange(true)) {
      Fail(absl::FailedPreconditionError(
          "RunSpecifiedBenchmarks was called by a benchmark that it runs"));
    }
  }
  ~OnlyCall() { running_ = false; }
  OnlyCall(const OnlyCall&) = delete;
  OnlyCall& operator=(const OnlyCall&) = delete;

 private:
  static inline std::atomic<bool> running_{false};
};

}  // namespace

void Initialize(int* argc, char** argv) {
  AnswerVersion(*argc, argv);
  const std::vector<std::string> arguments(argv, argv + *argc);
  SaveCommandLine(arguments);
  absl::StatusOr<ProgramOptions> options = ReadProgramOptions(arguments, std::getenv);
  if (!options.ok()) Fail(options.status());
  RewriteArguments(argc, argv);
  benchmark::Initialize(argc, argv, PrintHelp);
  TakeDryRun(argc, argv, options->google_benchmark.dry_run);
  ThisMain().options = *std::move(options);
}

bool ReportUnrecognizedArguments(int argc, char** argv) {
  if (argc <= 1) return false;
  std::fprintf(stderr, "duetbench: %s\n", std::string(UnknownArgument(argv[1]).message()).c_str());
  return true;
}

ExitStatus RunSpecifiedBenchmarks() {
  AnswerHandshake();
  if (const std::optional<AssignedRun>& run = RunOfThisProcess()) {
    ServeAssignedRun(*run, ThisMain().memory_manager);
  }
  const OnlyCall only_call;
  if (!ThisMain().options.has_value()) {
    absl::StatusOr<ProgramOptions> options = ReadProgramOptions({"program"}, std::getenv);
    if (!options.ok()) Fail(options.status());
    ThisMain().options = *std::move(options);
  }
  const ProgramOptions& options = *ThisMain().options;
  const std::string text = benchmark::GetBenchmarkFilter();
  const absl::StatusOr<NameFilter> filter = NameFilter::Parse(text);
  FailUnlessOk(filter.status());
  const std::vector<const DuetSpec*> specs = RegisteredDuets();
  std::vector<DuetInstance> instances =
      SelectDuets(specs, *filter, options.google_benchmark.repetitions);
  if (options.google_benchmark.dry_run) {
    for (DuetInstance& instance : instances) instance.repetitions = 1;
  }
  WithdrawPlaceholders();
  if (options.flags.list) return AfterOutput(PrintDuets(options.flags, instances));
  const std::string ordinary_filter = text.empty() ? "." : text;
  if (options.google_benchmark.list_tests) {
    return AfterOutput(PrintNames(ordinary_filter, instances));
  }
  FailUnlessOk(CheckDemandedGate(options, instances));
  ExperimentHost host(CommandLineOfThisProcess(), options.flags.cpus, options.flags.out);
  const ExitStatus status = AfterOutput(RunAll(options, ordinary_filter, specs, instances, &host));
  if (host.has_stuck_run()) {
    std::fflush(nullptr);
    _exit(status);
  }
  return status;
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
