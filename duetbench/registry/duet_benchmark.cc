#include "duetbench/registry/duet_benchmark.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/registry/run_process.h"
#include "duetbench/registry/session.h"
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

DuetBenchmark::DuetBenchmark(const std::string& name, DuetFunctions functions)
    : internal::BenchmarkBase(name.c_str()),
      functions_(std::move(functions)),
      family_(Session::Get().AddFamily(this)),
      name_(name) {}

DuetBenchmark::~DuetBenchmark() { Session::Get().RemoveFamily(family_); }

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

DuetBenchmark* DuetBenchmark::Fill(bool fill) {
  fill_ = fill;
  return this;
}

DuetBenchmark* DuetBenchmark::Schedule(duetbench::Schedule schedule) {
  schedule_ = schedule;
  has_schedule_ = true;
  return this;
}

DuetBenchmark* DuetBenchmark::Name(const std::string& name) {
  Base::Name(name);
  name_ = name;
  return this;
}

DuetBenchmark* DuetBenchmark::Arg(int64_t x) {
  Base::Arg(x);
  return this;
}

DuetBenchmark* DuetBenchmark::Args(const std::vector<int64_t>& args) {
  Base::Args(args);
  return this;
}

DuetBenchmark* DuetBenchmark::ArgPair(int64_t x, int64_t y) { return Args({x, y}); }

DuetBenchmark* DuetBenchmark::Range(int64_t start, int64_t limit) {
  Base::Range(start, limit);
  return this;
}

DuetBenchmark* DuetBenchmark::DenseRange(int64_t start, int64_t limit, int step) {
  Base::DenseRange(start, limit, step);
  return this;
}

DuetBenchmark* DuetBenchmark::Ranges(const std::vector<std::pair<int64_t, int64_t>>& ranges) {
  Base::Ranges(ranges);
  return this;
}

DuetBenchmark* DuetBenchmark::ArgsProduct(const std::vector<std::vector<int64_t>>& arglists) {
  Base::ArgsProduct(arglists);
  return this;
}

DuetBenchmark* DuetBenchmark::RangeMultiplier(int multiplier) {
  Base::RangeMultiplier(multiplier);
  return this;
}

DuetBenchmark* DuetBenchmark::ArgName(const std::string& name) {
  Base::ArgName(name);
  return this;
}

DuetBenchmark* DuetBenchmark::ArgNames(const std::vector<std::string>& names) {
  Base::ArgNames(names);
  return this;
}

DuetBenchmark* DuetBenchmark::Apply(void (*function)(internal::BenchmarkBase*)) {
  Base::Apply(function);
  return this;
}

DuetBenchmark* DuetBenchmark::Unit(benchmark::TimeUnit unit) {
  Base::Unit(unit);
  return this;
}

DuetBenchmark* DuetBenchmark::MinTime(double seconds) {
  Require(seconds > 0, name_, "MinTime(t) needs t > 0 seconds");
  Base::MinTime(seconds);
  min_time_ = seconds;
  return this;
}

DuetBenchmark* DuetBenchmark::Repetitions(int repetitions) {
  Base::Repetitions(repetitions);
  repetitions_ = repetitions;
  return this;
}

ExperimentOptions DuetBenchmark::Options() const {
  ExperimentOptions options = Session::Get().options();
  if (runs_ > 0) options.runs = runs_;
  if (level_ > 0) options.level = level_;
  if (margin_ >= 0) options.margin = margin_;
  if (min_time_ > 0) options.min_time = min_time_;
  if (fill_) options.fill = true;
  if (has_schedule_) options.schedule = schedule_;
  return options;
}

int DuetBenchmark::repetitions() const {
  int repetitions = repetitions_;
  if (repetitions > 0) return repetitions;
  const bool given =
      absl::SimpleAtoi(Session::Get().GoogleBenchmarkFlag("repetitions"), &repetitions);
  return given && repetitions > 0 ? repetitions : 1;
}

void DuetBenchmark::Run(benchmark::State& state) {
  Session& session = Session::Get();
  RunTask task;
  task.family = family_;
  const int arguments = ArgsCnt();
  for (int i = 0; i < arguments; ++i) {
    task.ranges.push_back(state.range(static_cast<size_t>(i)));
  }
  DuetFunctions functions = functions_;
  functions.ranges = task.ranges;

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

  std::string name = name_;
  for (const int64_t range : task.ranges) absl::StrAppend(&name, "/", range);
  const int repetition = repetitions_done_[task.ranges]++;
  Comparison comparison = session.Compare(name_, name, repetition, task, functions, Options());
  if (!comparison.error.cause.empty()) {
    session.CountError();
    state.SkipWithError(Printable(ErrorText(comparison)).c_str());
  } else if (session.reports_comparisons()) {
    state.counters[kComparisonKey] =
        benchmark::Counter(static_cast<double>(session.Keep(std::move(comparison))));
  } else {
    // A plain main: the one row of the library says it.
    state.SetLabel(VerdictSentence(comparison) + " (" + EffortText(comparison) + ")");
    for (const auto& [key, value] : ComparisonCounters(comparison)) {
      state.counters[key] = benchmark::Counter(value);
    }
  }
  Drain(state);
}

namespace internal {

DuetBenchmark* RegisterFunctions(const std::string& name,
                                 std::shared_ptr<const Variant> old_variant,
                                 std::shared_ptr<const Variant> new_variant) {
  DuetFunctions functions;
  functions.variants[0] = std::move(old_variant);
  functions.variants[1] = std::move(new_variant);
  auto benchmark = std::make_unique<DuetBenchmark>(name, std::move(functions));
  DuetBenchmark* const registered = benchmark.get();
  RegisterWith(&benchmark::internal::RegisterBenchmarkInternal, std::move(benchmark));
  return registered;
}

}  // namespace internal
}  // namespace duetbench
