#include "duetbench/registry/session.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/counters/event_names.h"
#include "duetbench/counters/missing.h"
#include "duetbench/counters/perf_system.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/registry/duet_benchmark.h"
#include "duetbench/report/google_benchmark.h"
#include "duetbench/runner/experiment.h"

namespace duetbench {
namespace {

constexpr int kUsageError = 2;

constexpr char kRandomLayoutVariable[] = "DUETBENCH_RANDOM_LAYOUT";

volatile std::sig_atomic_t interrupted_by_user = 0;

void OnInterrupt(int) { interrupted_by_user = 1; }

// Ctrl-C ends the experiment instead of the program, for as long as this lives. The second one ends
// the program: a run in this process cannot be ended from outside.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};
    action.sa_handler = OnInterrupt;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &earlier_int_);
    sigaction(SIGTERM, &action, &earlier_term_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &earlier_int_, nullptr);
    sigaction(SIGTERM, &earlier_term_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction earlier_int_ {};
  struct sigaction earlier_term_ {};
};

// The arguments of this process where main did not hand them on.
std::vector<std::string> ReadCommandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return absl::StrSplit(text, '\0');
}

// FNV-1a: the same in every process, which std::hash does not promise.
uint64_t Hash(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

Session& Session::Get() {
  static Session* const session = new Session;  // never destroyed: benchmarks end after main
  return *session;
}

Session::Session() : argv_(ReadCommandLine()) {
  environment_status_ = ApplyEnvironment(std::getenv, &flags_);
  if (const char* text = std::getenv(kTaskVariable)) {
    absl::StatusOr<RunTask> task = DecodeRunTask(text);
    const absl::StatusOr<int> result_fd = TakeResultDescriptor(kResultVariable);
    unsetenv(kTaskVariable);
    if (!task.ok() || !result_fd.ok()) {
      std::fprintf(stderr, "duetbench: %s\n",
                   std::string((task.ok() ? result_fd.status() : task.status()).message()).c_str());
      std::_Exit(kUsageError);
    }
    task_ = *std::move(task);
    result_fd_ = *result_fd;
    DieWithParent(static_cast<pid_t>(task_->parent));
  }
  KeepLayoutsRandom();
  // Also where a main that knows nothing of this library parses the command line.
  const absl::StatusOr<double> min_time = ParseMinTime(GoogleBenchmarkFlag("min_time"));
  if (min_time.ok() && *min_time > 0) flags_.experiment.min_time = *min_time;
  double warm_up = 0;
  if (absl::SimpleAtod(GoogleBenchmarkFlag("min_warmup_time"), &warm_up) && warm_up > 0 &&
      std::isfinite(warm_up)) {
    flags_.experiment.warm_up = warm_up;
  }
  // "100x", which versions that read seconds with a unit know.
  const std::string iterations = GoogleBenchmarkFlag("min_time");
  uint64_t operations = 0;
  if (internal::kReadsSeconds && absl::EndsWith(iterations, "x") &&
      absl::SimpleAtoi(absl::StripSuffix(iterations, "x"), &operations)) {
    flags_.experiment.operations = operations;
  }
  flags_.experiment.dry_run = IsTruthy(GoogleBenchmarkFlag("dry_run"));
  if (!flags_.seed_given) flags_.experiment.seed = std::random_device()();
}

// BENCHMARK_MAIN of newer versions of Google Benchmark restarts the program with a fixed memory
// layout, for the sake of ordinary benchmarks, unless it sees that programs started from here have
// one. But the runs of a duet must differ in theirs. So this process remembers that its layout was
// random before it was restarted, to start the runs so (machine()); and a run says that layouts are
// fixed, although its own is not.
void Session::KeepLayoutsRandom() const {
  if (LayoutFixedForProcess()) return;
  if (task_.has_value()) {
    SetLayoutFixed(true);
  } else {
    setenv(kRandomLayoutVariable, "1", 1);
  }
}

int Session::AddFamily(DuetBenchmark* benchmark) {
  families_.push_back(benchmark);
  return families() - 1;
}

absl::Status Session::ParseCommandLine(int* argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + *argc);
  absl::Status status = ParseArguments(&arguments, &flags_);
  if (!status.ok()) return status;
  // The arguments that were not ours stay, in their order, in argv's own strings.
  int kept = 1;
  size_t next = 0;
  for (int i = 1; i < *argc; ++i) {
    if (next < arguments.size() && arguments[next] == argv[i]) {
      argv[kept++] = argv[i];
      ++next;
    }
  }
  *argc = kept;
  argv[kept] = nullptr;
  const absl::StatusOr<double> min_time = ParseMinTime(GoogleBenchmarkFlag("min_time"));
  if (!min_time.ok()) return min_time.status();
  if (!internal::kReadsSeconds) {
    for (int i = 1; i < kept; ++i) {
      absl::string_view argument = argv[i];
      if (!absl::StartsWith(argument, "--benchmark_min_time=") ||
          !absl::ConsumeSuffix(&argument, "s"))
        continue;
      argv[i] = rewritten_.emplace_back(argument).data();
    }
  }
  return CheckGoogleBenchmarkFlags(argv_, std::getenv);
}

absl::Status Session::TakeFlagsOfProcess() {
  std::vector<std::string> arguments = argv_;
  return ParseArguments(&arguments, &flags_);
}

std::string Session::GoogleBenchmarkFlag(const std::string& name) const {
  return duetbench::GoogleBenchmarkFlag(argv_, std::getenv, name);
}

const absl::StatusOr<Machine>& Session::machine() {
  if (!machine_.has_value()) {
    if (std::getenv(kRandomLayoutVariable) != nullptr) SetLayoutFixed(false);
    machine_ = InspectMachine(flags_.cpus);
  }
  return *machine_;
}

const EventSurvey& Session::Survey(std::vector<std::string> names) {
  std::vector<std::string> all = SplitEventNames(GoogleBenchmarkFlag("perf_counters"));
  for (std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
  }
  const auto it = surveys_.find(all);
  if (it != surveys_.end()) return it->second;
  EventSurvey survey;
  if (!all.empty()) {
    survey = SurveyEvents(all, ResolveEvent, &LinuxPerf(), ReadPerfSurroundings(""));
  }
  return surveys_[all] = std::move(survey);
}

const EventSurvey& Session::SurveyAll() {
  std::vector<std::string> names;
  for (const DuetBenchmark* family : families_) {
    if (family == nullptr) continue;
    names.insert(names.end(), family->counter_names().begin(), family->counter_names().end());
  }
  return Survey(std::move(names));
}

Comparison Session::Compare(const RunRoute& route, const std::string& name, int repetition,
                            const RunTask& task, const DuetFunctions& functions,
                            ExperimentOptions options) {
  const absl::StatusOr<Machine>& machine = this->machine();
  for (const absl::Status& status : {environment_status_, machine.status()}) {
    if (status.ok()) continue;
    Comparison failed;
    failed.error.cause = std::string(status.message());
    return failed;
  }
  if (machine->cpus.relation == CpuRelation::kOneCpu) options.schedule = Schedule::kInterleaved;
  options.seed += Hash(absl::StrCat(name, "#", repetition));

  const InterruptGuard guard;
  const bool in_process = options.runs == 1;
  const auto launch = [&](const RunPlan& plan) -> absl::StatusOr<LaunchedRun> {
    if (in_process) {
      LaunchedRun launched;
      RunPlan endless = plan;
      endless.timeout_ns = 0;  // a debugger may stop it for as long as it likes
      launched.result = ExecuteRun(endless, functions);
      return launched;
    }
    RunTask run_task = task;
    run_task.parent = getpid();
    run_task.plan = plan;
    return LaunchRun(argv_, route, run_task, &interrupted_by_user);
  };
  const auto progress = [&](int done, int runs, double seconds_left) {
    progress_.Show(name, done, runs, seconds_left);
  };
  Comparison comparison = RunExperiment(options, *machine, launch, progress);
  progress_.Clear();
  absl::Status written = OpenPairsFile();  // where main did not
  if (written.ok() && pairs_file_.has_value()) {
    written = pairs_file_->Append(name, comparison, machine->ns_per_tick);
  }
  if (!written.ok() && comparison.error.cause.empty()) {
    comparison.error.cause = std::string(written.message());
  }
  return comparison;
}

absl::Status Session::OpenPairsFile() {
  if (flags_.out.empty() || task_.has_value() || pairs_file_.has_value()) return absl::OkStatus();
  return pairs_file_.emplace().Open(flags_.out);
}

void Session::SayOnce(const std::string& line) {
  if (said_.insert(line).second) std::fprintf(stderr, "duetbench: %s\n", line.c_str());
}

bool Session::interrupted() const { return interrupted_by_user != 0; }

}  // namespace duetbench
