#include "duetbench/registry/duet_benchmark.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/registry/flags.h"
#include "duetbench/registry/library_call.h"
#include "duetbench/registry/register_duet.h"
#include "duetbench/registry/run_process.h"
#include "duetbench/registry/session.h"
#include "duetbench/report/hidden_counters.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/rows.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

// A chain method got an argument that makes no sense: a mistake in the program.
void Require(bool condition, const std::string& benchmark, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "duetbench: %s: %s\n", benchmark.c_str(), what);
  std::abort();
}

// The library asks for iterations until it has enough; a duet has made its own.
void Drain(benchmark::State& state) {
  while (state.KeepRunningBatch(internal::kEnoughIterations)) {
  }
}

}  // namespace

DuetBenchmark::DuetBenchmark(const std::string& name, DuetFunctions functions, Location location)
    : internal::BenchmarkBase(name.c_str()),
      functions_(std::move(functions)),
      location_(location),
      family_(Session::Get().AddFamily(this)),
      name_(name) {}

DuetBenchmark::~DuetBenchmark() { Session::Get().RemoveFamily(family_); }

ExperimentOptions DuetBenchmark::Options() const {
  ExperimentOptions options = Session::Get().options();
  if (runs_ > 0) options.runs = runs_;
  if (level_ > 0) options.level = level_;
  if (margin_ >= 0) options.margin = margin_;
  if (min_time_ > 0) options.min_time = min_time_;
  if (warm_up_ > 0) options.warm_up = warm_up_;
  if (fill_) options.fill = true;
  if (has_schedule_) options.schedule = schedule_;
  if (iterations_ > 0) options.operations = static_cast<uint64_t>(iterations_);
  if (check_equal_) options.check_equal = true;
  if (manual_time_) options.manual_time = true;
  if (real_time_) options.cpu_time = false;
  if (gate_.exists()) options.gate = gate_;
  // What is asked there is how it measures, in the time given.
  if (Session::Get().flags().calibrate || Session::Get().flags().aa) options.gate = {};
  return options;
}

int DuetBenchmark::repetitions() const {
  int repetitions = repetitions_;
  if (repetitions > 0) return repetitions;
  const bool given =
      absl::SimpleAtoi(Session::Get().GoogleBenchmarkFlag("repetitions"), &repetitions);
  return given && repetitions > 0 ? repetitions : 1;
}

DuetBenchmark* DuetBenchmark::PerfCounters(std::vector<std::string> names) {
  counter_names_ = std::move(names);
  return this;
}

DuetBenchmark* DuetBenchmark::Runs(int runs) {
  Require(runs >= 1, name_, "Runs(n) needs n >= 1");
  runs_ = runs;
  return this;
}

DuetBenchmark* DuetBenchmark::Level(double level) {
  Require(level > 0 && level < 1, name_, "Level(p) needs 0 < p < 1, such as 0.99");
  level_ = level;
  return this;
}

DuetBenchmark* DuetBenchmark::Margin(double margin) {
  Require(margin >= 0 && margin < 1, name_, "Margin(d) needs 0 <= d < 1, such as 0.01");
  margin_ = margin;
  return this;
}

DuetBenchmark* DuetBenchmark::Demand(GateDemand::Kind kind, double value, const char* wanted) {
  Require(GateDemand::Allows(kind, value), name_, wanted);
  Require(!gate_.exists(), name_, "a duet has one gate, but a second one was added");
  gate_ = {kind, value};
  return this;
}

DuetBenchmark* DuetBenchmark::MaxRatio(double ratio) {
  return Demand(GateDemand::Kind::kMaxRatio, ratio, "MaxRatio(r) needs r > 0, such as 1.05");
}

DuetBenchmark* DuetBenchmark::MinSpeedup(double factor) {
  return Demand(GateDemand::Kind::kMinSpeedup, factor, "MinSpeedup(f) needs f > 0, such as 1.2");
}

DuetBenchmark* DuetBenchmark::Equivalent(double margin) {
  return Demand(GateDemand::Kind::kEquivalent, margin,
                "Equivalent(d) needs 0 < d < 1, such as 0.02");
}

DuetBenchmark* DuetBenchmark::Fill(bool fill) {
  fill_ = fill;
  return this;
}

DuetBenchmark* DuetBenchmark::Schedule(duetbench::Schedule schedule) {
  schedule_ = schedule;
  has_schedule_ = true;
  return this;
}

DuetBenchmark* DuetBenchmark::CheckEqual(bool check) {
  check_equal_ = check;
  return this;
}

DuetBenchmark* DuetBenchmark::Name(const std::string& name) {
  Base::Name(name);
  name_ = name;
  return this;
}

DuetBenchmark* DuetBenchmark::MinTime(double seconds) {
  Require(seconds > 0, name_, "MinTime(t) needs t > 0 seconds");
  Require(iterations_ == 0, name_, "MinTime and Iterations exclude each other");
  Base::MinTime(seconds);
  min_time_ = seconds;
  return this;
}

DuetBenchmark* DuetBenchmark::Iterations(benchmark::IterationCount n) {
  Require(n > 0, name_, "Iterations(n) needs n > 0");
  Require(min_time_ == 0, name_, "MinTime and Iterations exclude each other");
  Require(warm_up_ == 0, name_, "MinWarmUpTime and Iterations exclude each other");
  Base::Iterations(n);
  iterations_ = n;
  return this;
}

DuetBenchmark* DuetBenchmark::Repetitions(int repetitions) {
  Base::Repetitions(repetitions);
  repetitions_ = repetitions;
  return this;
}

DuetBenchmark* DuetBenchmark::MinWarmUpTime(double seconds) {
  Require(seconds >= 0, name_, "MinWarmUpTime(t) needs t >= 0 seconds");
  Require(iterations_ == 0, name_, "MinWarmUpTime and Iterations exclude each other");
  Base::MinWarmUpTime(seconds);
  warm_up_ = seconds;
  return this;
}

// The library would call them in the process that reports as well, and for every argument that it
// passes on its way to the one that a run is of.
DuetBenchmark* DuetBenchmark::Setup(Callback callback) {
  Require(callback != nullptr, name_, "Setup(callback) needs a callback");
  set_up_ = std::move(callback);
  return this;
}

DuetBenchmark* DuetBenchmark::Teardown(Callback callback) {
  Require(callback != nullptr, name_, "Teardown(callback) needs a callback");
  tear_down_ = std::move(callback);
  return this;
}

DuetBenchmark* DuetBenchmark::UseRealTime() {
  Require(!manual_time_, name_, "UseRealTime and UseManualTime exclude each other");
  Base::UseRealTime();
  real_time_ = true;
  return this;
}

DuetBenchmark* DuetBenchmark::UseManualTime() {
  Require(!real_time_, name_, "UseRealTime and UseManualTime exclude each other");
  Base::UseManualTime();
  manual_time_ = true;
  return this;
}

DuetBenchmark* DuetBenchmark::MeasureProcessCPUTime() {
  Base::MeasureProcessCPUTime();
  process_cpu_time_ = true;
  return this;
}

DuetBenchmark* DuetBenchmark::Complexity(benchmark::BigO complexity) {
  Base::Complexity(complexity);
  complexity_ = complexity;
  return this;
}

DuetBenchmark* DuetBenchmark::Complexity(benchmark::BigOFunc* complexity) {
  Base::Complexity(complexity);
  complexity_ = benchmark::oLambda;
  complexity_lambda_ = complexity;
  return this;
}

bool DuetBenchmark::IsWarmUpCall(const std::vector<int64_t>& ranges) {
  if (Session::Get().options().dry_run) return false;
  // As the library has it: the chain's time counts beside a MinTime only, else the flag's does.
  double seconds = min_time_ > 0 ? warm_up_ : 0;
  if (seconds <= 0 &&
      !absl::SimpleAtod(Session::Get().GoogleBenchmarkFlag("min_warmup_time"), &seconds)) {
    return false;
  }
  return seconds > 0 && !std::exchange(warmed_up_[ranges], true);
}

void DuetBenchmark::Run(benchmark::State& state) {
  Session& session = Session::Get();
  if (state.threads() != 1) {
    // An Apply with a function of the library's type set it.
    if (state.thread_index() == 0) session.CountError();
    state.SkipWithError("a duet has one thread for each variant: remove Threads from it");
    Drain(state);
    return;
  }
  RunTask task;
  task.family = family_;
  const int arguments = ArgsCnt();
  for (int i = 0; i < arguments; ++i) {
    task.ranges.push_back(state.range(static_cast<size_t>(i)));
  }
  DuetFunctions functions = functions_;
  functions.ranges = task.ranges;
  functions.name = name_;
  functions.library_state = &state;
  if (set_up_) functions.set_up = [this, &state] { set_up_(state); };
  if (tear_down_) functions.tear_down = [this, &state] { tear_down_(state); };

  functions.memory_manager = session.memory_manager();
  if (session.counts_memory()) {
    Drain(state);
    return;
  }

  if (session.task().has_value()) {
    // This process is a run: of this benchmark, or of another one that the filter let through too.
    if (session.task()->family == family_ && session.task()->ranges == task.ranges) {
      ServeRun(session.task()->plan, functions, session.result_fd());
    }
    Drain(state);
    return;
  }
  if (session.interrupted()) {
    state.SkipWithError("not measured: interrupted");
    Drain(state);
    return;
  }
  if (IsWarmUpCall(task.ranges)) {
    Drain(state);
    return;
  }

  // The plain row needs one iteration, so that it can have any number (plain_row.h).
  constexpr double kShortMinTime = 1e-3;
  const bool grows = session.reports_comparisons() && Options().operations == 0 &&
                     !session.options().dry_run && DemandOnRow().min_time > kShortMinTime;
  switch (KindOfCall(state.max_iterations, grows)) {
    case LibraryCall::kGrow:
      while (state.KeepRunningBatch(kGrowIterations)) {
      }
      return;
    case LibraryCall::kMemory:
      session.SayOnce("memory is not measured for duets: each variant has processes of its own");
      Drain(state);
      return;
    case LibraryCall::kMeasure:
      break;
  }
  if (!session.reports_comparisons() && plain_row_.ShowAgain(task.ranges, DemandOnRow(), state)) {
    return;
  }

  std::string name = Printable(name_);
  for (const int64_t range : task.ranges) absl::StrAppend(&name, "/", range);
  const int repetition = repetitions_done_[task.ranges]++;
  if (session.flags().aa) {
    CompareWithSelf(name, repetition, task, functions, state);
    Drain(state);
    return;
  }
  ExperimentOptions options = Options();
  const EventSurvey& survey = session.Survey(counter_names_);
  if (!options.dry_run) options.events = survey.events;
  Comparison comparison;
  if (session.flags().require_counters && !survey.missing.empty()) {
    comparison.error.cause = MissingLines(survey.missing).front();
  } else {
    comparison = session.Compare(RouteToFamily(name_), name, repetition, task, functions, options);
  }
  Report(std::move(comparison), name, task.ranges, repetition % repetitions() == 0, state);
}

size_t DuetBenchmark::Log(const std::string& name, const Comparison& comparison) const {
  SuiteEntry entry;
  entry.name = name;
  entry.file = location_.file;
  entry.line = location_.line;
  if (!comparison.error.cause.empty() && !comparison.error.skipped) {
    entry.error = Printable(ErrorText(comparison));
  }
  entry.comparison = comparison;
  return Session::Get().suite().Add(std::move(entry));
}

void DuetBenchmark::CompareWithSelf(const std::string& name, int repetition, const RunTask& task,
                                    const DuetFunctions& functions, benchmark::State& state) const {
  Session& session = Session::Get();
  ExperimentOptions options = Options();
  std::string label = "A/A";
  for (const int self : {0, 1}) {
    const char* const variant = self == 0 ? " old" : " new";
    options.self = self;
    const Comparison comparison =
        session.Compare(RouteToFamily(name_), name + variant, repetition, task, functions, options);
    Log(name + variant, comparison);
    if (!comparison.error.cause.empty() && !comparison.error.skipped) session.CountError();
    absl::StrAppend(&label, variant, ": ",
                    comparison.error.cause.empty() ? IntervalText(comparison.interval)
                                                   : Printable(ErrorText(comparison)));
    if (session.interrupted()) break;
  }
  state.SetLabel(label);
  // See Report.
  if (complexity_ != benchmark::oNone) state.SetComplexityN(1);
}

RowDemand DuetBenchmark::DemandOnRow() const {
  constexpr double kDefaultMinTime = 0.5;
  // A row that has its number of iterations is finished as soon as it has them.
  constexpr double kShortest = 0.005;
  const std::string flag = Session::Get().GoogleBenchmarkFlag("min_time");
  const absl::StatusOr<double> seconds = ParseMinTime(flag);
  RowDemand demand;
  demand.real_time = real_time_;
  demand.manual_time = manual_time_;
  if (Options().operations > 0 || Session::Get().options().dry_run) {
    demand.min_time = kShortest;
  } else if (min_time_ > 0) {
    demand.min_time = min_time_;
  } else if (seconds.ok() && *seconds > 0) {
    demand.min_time = *seconds;
  } else {
    demand.min_time = flag.empty() ? kDefaultMinTime : kShortest;
  }
  return demand;
}

void DuetBenchmark::Report(Comparison comparison, const std::string& name,
                           const std::vector<int64_t>& ranges, bool is_first,
                           benchmark::State& state) {
  Session& session = Session::Get();
  bool failed = !comparison.error.cause.empty();
  if (complexity_ != benchmark::oNone) {
    const int64_t n =
        std::max(comparison.variants[0].complexity_n, comparison.variants[1].complexity_n);
    if (!failed && n <= 0) {
      comparison.error.cause =
          "nothing to fit a complexity to: call state.SetComplexityN(n), n > 0, in both variants";
      failed = true;
    }
    // The library takes no other number, and crashes if all benchmarks of a family with a
    // complexity are errors: our own reporters show them as such.
    state.SetComplexityN(std::max<int64_t>(n, 1));
  }
  const bool skipped = comparison.error.skipped;
  if (failed && !skipped) session.CountError();
  const std::string error = Printable(ErrorText(comparison));
  const size_t place = Log(name, comparison);
  if (session.reports_comparisons()) {
    ComparisonBook& book = session.book();
    const int64_t number = book.Add(std::move(comparison), name_, ranges, is_first);
    session.suite().Number(place, number);
    if (complexity_ != benchmark::oNone) {
      book.SetComplexity(name_, complexity_, complexity_lambda_);
    }
    state.counters = EncodeHiddenCounters(*book.Find(number), number, book.GroupOf(number));
  } else if (!failed) {
    plain_row_.Show(comparison, ranges, repetitions(), DemandOnRow(), state);
    return;
  } else if (complexity_ != benchmark::oNone) {
    state.SetLabel((skipped ? "SKIPPED: " : "ERROR: ") + error);
  }
  if (failed && complexity_ == benchmark::oNone) {
    if (skipped) {
      internal::Skip(state, error, 0);
    } else {
      state.SkipWithError(error.c_str());
    }
  }
  Drain(state);
}

namespace internal {

DuetBenchmark* RegisterFunctions(const std::string& name, DuetFunctions functions,
                                 Location location) {
  auto benchmark = std::make_unique<DuetBenchmark>(name, std::move(functions), location);
  DuetBenchmark* const registered = benchmark.get();
  RegisterWith(&benchmark::internal::RegisterBenchmarkInternal, std::move(benchmark));
  return registered;
}

}  // namespace internal
}  // namespace duetbench
