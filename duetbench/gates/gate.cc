#include "duetbench/gates/gate.h"

#include <algorithm>
#include <cmath>

#include "absl/status/statusor.h"
#include "duetbench/decision/interim_analysis.h"
#include "duetbench/estimate/call_quantiles.h"
#include "duetbench/sampling/amount.h"
#include "duetbench/stats/interval.h"

namespace duetbench {

const char* GateOutcomeName(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::kPass:
      return "PASS";
    case GateOutcome::kFail:
      return "FAIL";
    case GateOutcome::kInconclusive:
      break;
  }
  return "INCONCLUSIVE";
}

GateOutcome Judge(const GateSpec& spec, const stats::RatioInterval& interval) {
  return stats::JudgeInterval(interval, {spec.lo(), spec.hi()});
}

GateResult JudgeGate(const GateSpec& spec, const stats::Decision& decision, int analyses) {
  return {stats::JudgeRatio(decision, {spec.lo(), spec.hi()}), spec, analyses};
}

QuantileGateResult JudgeQuantileGate(const QuantileGateSpec& spec, const SelectedPairs& selected,
                                     const stats::Reservations& reservations, double level,
                                     double share) {
  QuantileGateResult gate;
  gate.spec = spec;
  gate.has_single_calls = HasSingleCalls(selected);
  gate.ratio.quantile = spec.quantile;
  if (!gate.has_single_calls) return gate;
  gate.ratio = stats::ComputeQuantileRatio(IndependentCalls(selected), spec.quantile,
                                           (1 - level) * share, level);
  if (reservations.is_withheld() || !gate.ratio.interval.has_value()) return gate;
  gate.outcome = Judge({GateSpec::Kind::kMaxRatio, spec.max_ratio}, *gate.ratio.interval);
  gate.p = std::min(
      1.0, stats::QuantilePValue(gate.ratio.group_log_ratios, std::log(spec.max_ratio)) / share);
  // Where they disagree, by rounding or a gap at the quantile, the interval counts.
  if (gate.outcome == GateOutcome::kFail) {
    gate.p = std::min(gate.p, 1 - level);
  } else if (gate.p <= 1 - level) {
    gate.p = 1;
  }
  gate.ends_measuring = stats::EndsMeasuring(gate.outcome, gate.p, level);
  return gate;
}

namespace {

constexpr char kAllocations[] = "ALLOCATIONS";
constexpr char kMinorFaults[] = "MINOR-FAULTS";

// Counts of a run, per iteration.
struct RunCounts {
  double of[2];
};

std::optional<RunCounts> PerIteration(const double counts[2], const double iterations[2]) {
  if (!(iterations[0] > 0) || !(iterations[1] > 0)) return std::nullopt;
  return RunCounts{{counts[0] / iterations[0], counts[1] / iterations[1]}};
}

std::optional<RunCounts> UsageOf(const RunResult& run, uint64_t UsageTally::*count,
                                 uint64_t UsageTally::*iterations) {
  double counts[2];
  double of[2];
  for (int variant = 0; variant < 2; ++variant) {
    counts[variant] = static_cast<double>(run.usage[variant].*count);
    of[variant] = static_cast<double>(run.usage[variant].*iterations);
  }
  return PerIteration(counts, of);
}

std::optional<RunCounts> CountsOf(const RunResult& run, const std::string& counter,
                                  const std::vector<Event>& events) {
  if (counter == kAllocations) {
    return UsageOf(run, &UsageTally::allocations, &UsageTally::allocating_iterations);
  }
  if (counter == kMinorFaults) {
    return UsageOf(run, &UsageTally::minor_faults, &UsageTally::iterations);
  }
  for (const Amount& amount : run.amounts) {
    constexpr double kOne[2] = {1, 1};
    if (counter == amount.name) return PerIteration(amount.of, kOne);
  }
  for (size_t event = 0; event < events.size() && event < run.events.size(); ++event) {
    if (events[event].name != counter || run.events[event].pairs == 0) continue;
    return PerIteration(run.events[event].counts, run.events[event].iterations);
  }
  return std::nullopt;
}

// ln(new / old) of each run; empty if one of them has none.
std::vector<double> LogRatios(const std::vector<RunCounts>& runs) {
  std::vector<double> values;
  for (const RunCounts& run : runs) {
    if (!(run.of[0] > 0) || !(run.of[1] > 0)) return {};
    values.push_back(std::log(run.of[1] / run.of[0]));
  }
  return values;
}

// One value for each run, the mean of which is at most 0 if the requirement is met.
std::vector<double> Excesses(const std::vector<RunCounts>& runs, double max_ratio) {
  // Quotients of equal counts may differ by rounding.
  constexpr double kRounding = 1e-12;
  std::vector<double> values = LogRatios(runs);
  if (!values.empty()) {
    for (double& value : values) value -= std::log(max_ratio);
  } else {
    double largest = 0;
    for (const RunCounts& run : runs) {
      values.push_back(run.of[1] - max_ratio * run.of[0]);
      largest = std::max(largest, std::abs(values.back()));
    }
    for (double& value : values) value = largest > 0 ? value / largest : 0;
  }
  for (double& value : values) {
    if (std::abs(value) < kRounding) value = 0;
  }
  return values;
}

}  // namespace

bool IsCountedAlways(const std::string& counter) {
  return counter == kAllocations || counter == kMinorFaults || IsAmount(counter);
}

CounterGateResult JudgeCounterGate(const CounterGateSpec& spec, absl::Span<const RunResult> results,
                                   const std::vector<Event>& events, double level, double share) {
  CounterGateResult gate;
  gate.spec = spec;
  std::vector<RunCounts> runs;
  for (const RunResult& result : results) {
    if (const auto counts = CountsOf(result, spec.counter, events)) runs.push_back(*counts);
  }
  gate.runs = static_cast<int>(runs.size());
  for (const RunCounts& run : runs) {
    for (int variant = 0; variant < 2; ++variant) {
      gate.per_iteration[variant] += run.of[variant] / gate.runs;
    }
  }
  if (gate.runs < 2) return gate;
  if (const auto interval = stats::AnalysisInterval(LogRatios(runs), level, share); interval.ok()) {
    gate.interval = *interval;
  }
  // A ratio of e^excess at most 1 is what is required.
  const std::vector<double> excesses = Excesses(runs, spec.max_ratio);
  const absl::StatusOr<stats::RatioInterval> excess =
      stats::AnalysisInterval(excesses, level, share);
  if (!excess.ok()) return gate;
  const GateSpec at_most_one = {GateSpec::Kind::kMaxRatio, 1};
  gate.outcome = Judge(at_most_one, *excess);
  gate.p = stats::AnalysisPValue(excesses, at_most_one.lo(), at_most_one.hi(), share);
  if (gate.outcome == GateOutcome::kFail) gate.p = std::min(gate.p, 1 - level);
  gate.ends_measuring = stats::EndsMeasuring(gate.outcome, gate.p, level);
  return gate;
}

}  // namespace duetbench
