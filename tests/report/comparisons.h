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
inline void SetRuns(const std::vector<double>& log_ratios, Estimate* estimate) {
  estimate->run_log_ratios = estimate->typical_log_ratios = log_ratios;
  if (log_ratios.size() < 2) return;
  const stats::MeanEstimate mean = stats::MeanOfIndependent(log_ratios);
  estimate->log_error = mean.error;
  estimate->degrees_of_freedom = mean.degrees_of_freedom;
}

// 40 runs: new takes 20 % less time.
inline Comparison FasterComparison() {
  Estimate estimate;
  estimate.runs_planned = 40;
  estimate.runs = 40;
  estimate.interval = Interval(0.8, 0.79, 0.81);
  estimate.verdict = stats::Verdict::kFaster;
  estimate.why = stats::Why::kDecided;
  estimate.margin = 0.01;
  estimate.time_ns[0] = 125;
  estimate.time_ns[1] = 100;
  estimate.cpu_ns[0] = 124;
  estimate.cpu_ns[1] = 99;
  estimate.iterations[0] = 3000;
  estimate.iterations[1] = 3010;
  estimate.distinct_iterations[0] = 3000;
  estimate.distinct_iterations[1] = 3010;
  estimate.pairs = 18213;
  estimate.dropped = 12;
  estimate.batch = 1000;
  Comparison comparison;
  comparison.outcome = estimate;
  return comparison;
}

inline Comparison WithVerdict(stats::Verdict verdict, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  Estimate& estimate = *comparison.estimate();
  estimate.verdict = verdict;
  estimate.why =
      verdict == stats::Verdict::kInconclusive ? stats::Why::kWide : stats::Why::kDecided;
  estimate.interval = interval;
  return comparison;
}

// After a change of the estimate: its verdict, and the gate if there is one.
inline void JudgeAgain(Comparison* comparison) {
  Estimate* const estimate = comparison->estimate();
  stats::JudgeVerdict(estimate);
  for (stats::GateResult& gate : estimate->gates) {
    if (gate.spec.metric.is_time()) gate = JudgeGate(gate.spec, *estimate);
  }
}

// With a gate on times in place of others.
inline void SetTimeGate(const GateSpec& spec, Comparison* comparison) {
  comparison->estimate()->gates = {JudgeGate(spec, *comparison->estimate())};
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
  DryRun dry_run;
  dry_run.runs = 1;
  dry_run.pairs = 1;
  dry_run.iterations[0] = dry_run.iterations[1] = 1;
  dry_run.time_ns[0] = 125;
  dry_run.time_ns[1] = 100;
  Comparison comparison;
  comparison.outcome = dry_run;
  return comparison;
}

inline Notice Degraded(const std::string& text) { return {Notice::Kind::kRunDegraded, {}, text}; }

// `variant` failed in `run`, both from 0; -1: unknown.
inline Comparison FailedIn(int variant, int run, const std::string& cause, bool skipped = false) {
  Failure failure;
  failure.error = {variant, cause, skipped};
  failure.run = run;
  Comparison comparison;
  comparison.outcome = failure;
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
  Estimate& estimate = *comparison.estimate();
  estimate.counters = {MakeCounter("INSTRUCTIONS", 120, 96), MakeCounter("PAGE-FAULTS", 0, 1000),
                       MakeCounter("CYCLES", 0, 0)};
  estimate.counters[0].ratio = 0.8;
  estimate.counters[0].interval = Interval(0.8, 0.79, HUGE_VAL);
  estimate.counters[2].counted = false;
  estimate.variants[1].counters.resize(1);
  estimate.variants[1].counters[0].name = "steps";
  estimate.variants[1].counters[0].value = 7;
  return comparison;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_REPORT_COMPARISONS_H_
