#include "duetbench/registry/main.h"

#include <benchmark/benchmark.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "duetbench/counters/missing.h"
#include "duetbench/registry/duet_list.h"
#include "duetbench/registry/flags.h"
#include "duetbench/registry/forwarding_memory_manager.h"
#include "duetbench/registry/session.h"
#include "duetbench/registry/suite_end.h"
#include "duetbench/report/context.h"
#include "duetbench/report/counter_words.h"
#include "duetbench/report/ctest_measurements.h"
#include "duetbench/report/duet_console.h"
#include "duetbench/report/duet_file.h"
#include "duetbench/report/google_benchmark.h"
#include "duetbench/report/hidden_counters.h"
#include "duetbench/report/words.h"
#include "duetbench/version.h"

namespace duetbench {
namespace {

using benchmark::BenchmarkReporter;
using benchmark::ConsoleReporter;

// In the process of a run nothing is reported.
class SilentReporter : public BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

// A reporter for the display that also counts the benchmarks that failed, ordinary ones included,
// and learns the whole names of the duets.
template <class Reporter>
class CountsErrors : public Reporter {
 public:
  using Reporter::Reporter;
  void ReportRuns(const std::vector<BenchmarkReporter::Run>& runs) override {
    for (const BenchmarkReporter::Run& run : runs) {
      if (internal::HasError(run, 0)) Session::Get().CountError();
      const std::optional<HiddenCounters> hidden = DecodeHiddenCounters(run.counters);
      if (!hidden.has_value() || run.run_type != BenchmarkReporter::Run::RT_Iteration) continue;
      Session::Get().suite().Rename(hidden->number, run.run_name.str());
    }
    Reporter::ReportRuns(runs);
  }
};

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
  std::exit(kError);
}

void PrintHelp() {
  benchmark::PrintDefaultHelp();
  std::fputs(FlagsHelp().c_str(), stdout);
}

// Ends the program at --version, which Google Benchmark has no answer to.
void AnswerVersion(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (absl::string_view(argv[i]) != "--version") continue;
    std::puts("duetbench " DUETBENCH_VERSION_TEXT);
    std::exit(kSuccess);
  }
}

// In a program with duets their sides count the events of --benchmark_perf_counters. Google
// Benchmark's own counters are inherited by the processes of the runs and would take the PMU from
// them (where it was built with libpfm; else it only complains), so it is told of none.
void KeepCountersToDuets(const Session& session) {
  if (session.families() == 0 || session.GoogleBenchmarkFlag("perf_counters").empty()) return;
  // The library keeps the pointer to argv[0].
  static std::string* const program = new std::string(session.program());
  std::string none = "--benchmark_perf_counters=";
  char* argv[] = {program->data(), none.data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv);
}

bool UseColours(const Session& session) {
  const std::string flag = session.GoogleBenchmarkFlag("color");
  if (!flag.empty() && flag != "auto") return IsTruthy(flag);
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

// Of the terminal that stdout is; 0 if it is none.
int TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Adds what a JSON report is to say about duets to the context of the library. Only before such a
// report begins: consoles, whose header says the same, would print it too.
class DuetJson : public CountsErrors<DuetFile> {
 public:
  using CountsErrors<DuetFile>::CountsErrors;
  bool ReportContext(const Context& context) override {
    Session& session = Session::Get();
    static bool added = false;
    if (session.families() > 0 && session.machine().ok() && !std::exchange(added, true)) {
      for (const auto& [key, value] : ContextEntries(*session.machine(), session.options())) {
        benchmark::AddCustomContext(key, value);
      }
    }
    return CountsErrors<DuetFile>::ReportContext(context);
  }
};

std::unique_ptr<BenchmarkReporter> MakeConsole(const Session& session, bool colours, int columns,
                                               std::vector<std::string> header) {
  int options = ConsoleReporter::OO_None;
  if (colours) options |= ConsoleReporter::OO_Color;
  if (IsTruthy(session.GoogleBenchmarkFlag("counters_tabular"))) {
    options |= ConsoleReporter::OO_Tabular;
  }
  return std::make_unique<CountsErrors<DuetConsole>>(
      static_cast<ConsoleReporter::OutputOptions>(options), &Session::Get().book(),
      std::move(header), columns);
}

// A reporter for a format of Google Benchmark; null for a name that it does not know.
std::unique_ptr<BenchmarkReporter> MakeReporter(const Session& session, const std::string& format,
                                                bool colours, int columns,
                                                std::vector<std::string> header) {
  if (format == "console") return MakeConsole(session, colours, columns, std::move(header));
  if (format == "json") {
    return std::make_unique<DuetJson>(std::make_unique<benchmark::JSONReporter>(),
                                      &Session::Get().book(), /*at_the_end=*/false);
  }
  if (format == "csv") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    auto csv = std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
    return std::make_unique<CountsErrors<DuetFile>>(std::move(csv), &Session::Get().book(),
                                                    /*at_the_end=*/true);
  }
  return nullptr;
}

// Takes --benchmark_dry_run out of argv, where a version of the library that does not know it left
// it, and does by other flags what it means.
void TakeDryRun(int* argc, char** argv, bool dry_run) {
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument.substr(0, argument.find('=')) != "--benchmark_dry_run") argv[kept++] = argv[i];
  }
  *argc = kept;
  argv[kept] = nullptr;
  if (!dry_run) return;
  std::string flags[] = {"--benchmark_min_time=0", "--benchmark_min_warmup_time=0",
                         "--benchmark_repetitions=1"};
  // The library keeps the pointer to argv[0].
  char* arguments[] = {argv[0], flags[0].data(), flags[1].data(), flags[2].data(), nullptr};
  int count = 4;
  benchmark::Initialize(&count, arguments);
}

std::string Or(const std::string& value, const char* fallback) {
  return value.empty() ? fallback : value;
}

ExitStatus NothingMatched(const char* what) {
  std::fprintf(stderr, "duetbench: no %s matches --benchmark_filter=%s\n", what,
               benchmark::GetBenchmarkFilter().c_str());
  return kError;
}

ExitStatus PrintDuets() {
  const std::vector<ListedDuet> duets = ListDuets();
  for (const ListedDuet& duet : duets) {
    std::printf("duet %.0f %s\n", std::ceil(duet.most_seconds), duet.name.c_str());
  }
  return duets.empty() ? NothingMatched("duet") : kSuccess;
}

void PrintMeasurements(const Session& session) {
  for (int64_t number = 1; number <= session.book().size(); ++number) {
    std::fputs(CtestMeasurements(*session.book().Find(number)).c_str(), stdout);
  }
}

}  // namespace

void Initialize(int* argc, char** argv) {
  AnswerVersion(*argc, argv);
  Session& session = Session::Get();
  if (!session.environment_status().ok()) Fail(session.environment_status());
  const absl::Status status = session.ParseCommandLine(argc, argv);
  if (!status.ok()) Fail(status);
  benchmark::Initialize(argc, argv, PrintHelp);
  TakeDryRun(argc, argv, session.options().dry_run);
}

bool ReportUnrecognizedArguments(int argc, char** argv) {
  if (argc <= 1) return false;
  std::fprintf(stderr, "duetbench: %s\n", std::string(UnknownArgument(argv[1]).message()).c_str());
  return true;
}

ExitStatus RunSpecifiedBenchmarks() {
  Session& session = Session::Get();
  session.set_reports_comparisons();
  KeepCountersToDuets(session);
  if (session.task().has_value()) {
    SilentReporter silent;
    benchmark::RunSpecifiedBenchmarks(&silent);
    std::fprintf(stderr,
                 "duetbench: this process did not come to the benchmark it was started for; "
                 "are duet benchmarks registered in the same order in every process?\n");
    return kError;
  }

  if (session.flags().list) return PrintDuets();

  const bool lists = IsTruthy(session.GoogleBenchmarkFlag("list_tests"));
  std::vector<std::string> header;
  if (session.families() > 0 && !lists) {
    for (const absl::Status& opened : {session.OpenPairsFile(), CheckSuiteFiles(session)}) {
      if (!opened.ok()) Fail(opened);
    }
    const absl::StatusOr<Machine>& machine = session.machine();
    if (!machine.ok()) Fail(machine.status());
    header = HeaderLines(*machine, session.options());
    const EventSurvey& survey = session.SurveyAll();
    if (session.flags().require_counters && !survey.missing.empty()) {
      Fail(absl::UnavailableError(absl::StrCat("--duet_require_counters: ",
                                               absl::StrJoin(MissingLines(survey.missing), "\n"))));
    }
    for (const std::string& line : CounterHeaderLines(survey)) {
      header.push_back(absl::StrCat("duetbench: ", line));
    }
  }
  std::unique_ptr<BenchmarkReporter> display =
      MakeReporter(session, Or(session.GoogleBenchmarkFlag("format"), "console"),
                   UseColours(session), TerminalColumns(), header);
  // The table is of old against new.
  if (session.flags().aa && !lists) display = std::make_unique<SilentReporter>();
  std::unique_ptr<BenchmarkReporter> file;
  if (!session.GoogleBenchmarkFlag("out").empty()) {
    file = MakeReporter(session, Or(session.GoogleBenchmarkFlag("out_format"), "json"),
                        /*colours=*/false, /*columns=*/0, header);
  }
  // Of a format that it does not know the library itself tells.
  const size_t matched = benchmark::RunSpecifiedBenchmarks(display.get(), file.get());
  if (matched == 0 && !session.interrupted()) return NothingMatched("benchmark");
  if (session.flags().ctest && !session.interrupted()) PrintMeasurements(session);
  if (lists) return kSuccess;
  const int status = EndSuite(session);
  return session.interrupted() ? kInterrupted : static_cast<ExitStatus>(status);
}

void RegisterMemoryManager(benchmark::MemoryManager* manager) {
  static ForwardingMemoryManager* forwarding = nullptr;
  Session::Get().set_memory_manager(manager);
  // The earlier one stays: the library may be within it.
  forwarding = manager == nullptr ? nullptr : new ForwardingMemoryManager(manager);
  benchmark::RegisterMemoryManager(forwarding);
}

int Main(int argc, char** argv) {
  Initialize(&argc, argv);
  if (ReportUnrecognizedArguments(argc, argv)) return kError;
  const ExitStatus status = RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return status;
}

}  // namespace duetbench
