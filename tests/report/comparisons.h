#ifndef DUETBENCH_TESTS_REPORT_COMPARISONS_H_
#define DUETBENCH_TESTS_REPORT_COMPARISONS_H_

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/decide/robust_mean.h"

// Comparisons as an experiment leaves them.
namespace duetbench {

inline stats::RatioInterval Interval(double ratio, double lo, double hi) {
  stats::RatioInterval interval{};
  interval.ratio = ratio;
  interval.lo = lo;
  interval.hi = hi;
  interval.level = 0.99;
  return interval;
}

// Independent runs of these log-ratios, and the error of their mean.
inline void SetRuns(const std::vector<double>& log_ratios, Comparison* comparison) {
  comparison->run_log_ratios = comparison->typical_log_ratios = log_ratios;
  if (log_ratios.size() < 2) return;
  const stats::MeanEstimate mean = stats::MeanOfIndependent(log_ratios);
  comparison->log_error = mean.error;
  comparison->degrees_of_freedom = mean.degrees_of_freedom;
}

// 40 runs: new takes 20 % less time.
inline Comparison FasterComparison() {
  Comparison comparison;
  comparison.runs_planned = 40;
  comparison.runs = 40;
  comparison.interval = Interval(0.8, 0.79, 0.81);
  comparison.verdict = stats::Verdict::kFaster;
  comparison.why = stats::Why::kDecided;
  comparison.margin = 0.01;
  comparison.time_ns[0] = 125;
  comparison.time_ns[1] = 100;
  comparison.cpu_ns[0] = 124;
  comparison.cpu_ns[1] = 99;
  comparison.iterations[0] = 3000;
  comparison.iterations[1] = 3010;
  comparison.distinct_iterations[0] = 3000;
  comparison.distinct_iterations[1] = 3010;
  comparison.pairs = 18213;
  comparison.dropped = 12;
  comparison.batch = 1000;
  return comparison;
}

inline Comparison WithVerdict(stats::Verdict verdict, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  comparison.verdict = verdict;
  comparison.why =
      verdict == stats::Verdict::kInconclusive ? stats::Why::kWide : stats::Why::kDecided;
  comparison.interval = interval;
  return comparison;
}

// After a change of the result: its verdict, and the gate if there is one.
inline void JudgeAgain(Comparison* comparison) {
  stats::JudgeVerdict(comparison);
  for (stats::GateResult& gate : comparison->gates) {
    if (gate.spec.metric.is_time()) gate = JudgeGate(gate.spec, *comparison);
  }
}

// With a gate on times in place of others.
inline void SetTimeGate(const GateSpec& spec, Comparison* comparison) {
  comparison->gates = {JudgeGate(spec, *comparison)};
}

// The answer to a gate on another metric.
inline stats::GateResult MakeGate(const GateSpec& spec, GateStatus outcome,
                                  std::optional<stats::RatioInterval> interval, double p = 1) {
  stats::GateResult gate;
  gate.spec = spec;
  gate.outcome = outcome;
  gate.interval = std::move(interval);
  gate.p = p;
  gate.runs = 18;
  return gate;
}

// One iteration of each variant.
inline Comparison DryRunComparison() {
  Comparison comparison;
  comparison.is_dry_run = true;
  comparison.runs = 1;
  comparison.pairs = 1;
  comparison.iterations[0] = comparison.iterations[1] = 1;
  comparison.time_ns[0] = 125;
  comparison.time_ns[1] = 100;
  return comparison;
}

inline Notice Degraded(const std::string& text) { return {Notice::Kind::kRunDegraded, {}, text}; }

// `variant` failed in `run`, both from 0; -1: unknown.
inline Comparison FailedIn(int variant, int run, const std::string& cause, bool skipped = false) {
  Comparison comparison;
  comparison.failure.error = {variant, cause, skipped};
  comparison.failure.run = run;
  return comparison;
}

// An event that was demanded and counted, with these numbers per iteration.
inline CounterComparison MakeCounter(const std::string& name, double old_value, double new_value) {
  CounterComparison counter;
  counter.name = name;
  counter.requested = true;
  counter.counted = true;
  counter.per_iteration[0] = old_value;
  counter.per_iteration[1] = new_value;
  return counter;
}

// A counter with a ratio, one without, one that was not counted; counters of the variants.
inline Comparison CountingComparison() {
  Comparison comparison = FasterComparison();
  comparison.counters = {MakeCounter("INSTRUCTIONS", 120, 96), MakeCounter("PAGE-FAULTS", 0, 1000),
                         MakeCounter("CYCLES", 0, 0)};
  comparison.counters[0].ratio = 0.8;
  comparison.counters[0].interval = Interval(0.8, 0.79, HUGE_VAL);
  comparison.counters[2].counted = false;
  comparison.variants[1].counters.resize(1);
  comparison.variants[1].counters[0].name = "steps";
  comparison.variants[1].counters[0].value = 7;
  return comparison;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_REPORT_COMPARISONS_H_
