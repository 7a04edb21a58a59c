#include "duetbench/gates/gate.h"

#include <algorithm>
#include <cmath>

#include "absl/status/statusor.h"
#include "duetbench/stats/few_runs.h"
#include "duetbench/stats/interim_analysis.h"
#include "duetbench/stats/interval.h"

namespace duetbench {
namespace {

constexpr double kMaxSuite = 1000;
// An interval of a single run cannot promise more.
constexpr double kMinSingleRunP = 1e-6;

// The smallest alpha at which the interval of the only run FAILs, from above and within 2 %.
double SingleRunPValue(const GateSpec& spec, const stats::RunPairs& run) {
  double inside = kMinSingleRunP;
  double outside = 1;
  while (outside > 1.02 * inside) {
    const double alpha = std::sqrt(inside * outside);
    const absl::StatusOr<stats::RatioInterval> interval =
        stats::EwcInterval(run, stats::Estimator::kTrimmed, 1 - alpha);
    const bool fails = interval.ok() && Judge(spec, *interval) == GateOutcome::kFail;
    (fails ? outside : inside) = alpha;
  }
  return outside;
}

}  // namespace

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
  if (interval.lo > spec.hi() || interval.hi < spec.lo()) return GateOutcome::kFail;
  if (interval.lo >= spec.lo() && interval.hi <= spec.hi()) return GateOutcome::kPass;
  return GateOutcome::kInconclusive;
}

GateOutcome Judge(const GateSpec& spec, const stats::RatioInterval& interval,
                  std::optional<double> open_total) {
  const GateOutcome outcome = Judge(spec, interval);
  if (!open_total.has_value()) return outcome;
  return Judge(spec, stats::PointInterval(*open_total)) == outcome ? outcome
                                                                   : GateOutcome::kInconclusive;
}

GateResult JudgeGate(const GateSpec& spec, const Estimate& estimate, int analyses, double share) {
  GateResult gate;
  gate.spec = spec;
  const GateOutcome of_interval = Judge(spec, estimate.interval);
  gate.outcome = estimate.is_withheld() ? GateOutcome::kInconclusive
                                        : Judge(spec, estimate.interval, estimate.open_total);
  gate.analyses = analyses;
  gate.share = share;
  const std::vector<double>& run_values =
      estimate.total_decides ? estimate.total->run_values : estimate.run_log_ratios;
  const double least_spread =
      estimate.layouts.has_value() ? 0 : stats::LeastSpread(run_values.size());
  gate.p = run_values.size() > 1
               ? stats::AnalysisPValue(run_values, spec.lo(), spec.hi(), share, least_spread)
               : SingleRunPValue(spec, estimate.run_pairs[0]);
  if (gate.outcome != of_interval) gate.p = 1;
  if (estimate.is_withheld()) gate.p = 1;
  // Where rounding disagrees, the interval counts.
  if (gate.outcome == GateOutcome::kFail) gate.p = std::min(gate.p, 1 - estimate.interval.level);
  return gate;
}

bool EndsMeasuring(GateOutcome outcome, double p, double level) {
  if (outcome == GateOutcome::kPass) return true;
  return outcome == GateOutcome::kFail && p <= (1 - level) / kMaxSuite;
}

}  // namespace duetbench
