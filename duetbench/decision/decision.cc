#include "duetbench/decision/decision.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "duetbench/decision/interim_analysis.h"
#include "duetbench/decision/run_weights.h"
#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/dependent_mean.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

// Runs or layouts: what is independent of each other.
struct Units {
  std::vector<double> typical;   // the typical log-ratio of each
  std::vector<double> weighted;  // those whose t interval is that of the weighted runs
  std::vector<RunTotals> totals;
  bool has_totals = true;
  IntervalKind kind = IntervalKind::kT;
  std::optional<CoreState> core_state;  // what was taken out of the values
  bool in_time = false;                 // runs in the order of time: neighbors may be alike
  size_t max_time_slots = 0;            // with `in_time`
  bool may_hide_modes = false;          // runs of one layout; layouts are the modes that are known
};

bool Differ(absl::Span<const RunValue> runs, int RunValue::*member) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const RunValue& run) { return run.*member != runs.front().*member; });
}

Units UnitsOf(absl::Span<const RunValue> runs, std::optional<LayoutSpread>* spread) {
  Units units;
  std::vector<double> variances;
  std::vector<int> layouts;
  for (const RunValue& run : runs) {
    units.typical.push_back(run.log_ratio);
    units.totals.push_back(run.totals);
    units.has_totals = units.has_totals && run.has_totals;
    variances.push_back(run.variance);
    layouts.push_back(run.layout);
  }
  if (runs.size() == 1) {
    units.weighted = units.typical;
    if (runs[0].single.has_value()) units.totals = runs[0].single->parts;
    return units;
  }
  if (Differ(runs, &RunValue::layout)) {
    *spread = ComputeLayoutSpread(units.typical, layouts);
    std::map<int, std::vector<RunTotals>> by_layout;
    for (const RunValue& run : runs) by_layout[run.layout].push_back(run.totals);
    units.totals.clear();
    for (const auto& [layout, totals] : by_layout) units.totals.push_back(Merged(totals));
    units.typical = LayoutMeans(units.typical, layouts);
    units.weighted = units.typical;
    return units;
  }
  // Runs of one machine are not independent: their spread is not that of their weights.
  const bool is_weighted = !Differ(runs, &RunValue::machine);
  units.weighted = is_weighted ? WeightedRunValues(units.typical, variances) : units.typical;
  if (is_weighted) units.kind = IntervalKind::kWeighted;
  units.in_time = is_weighted;
  units.may_hide_modes = true;
  return units;
}

absl::StatusOr<SeriesEstimate> SeriesOf(const RunValue& run) {
  if (run.single.has_value()) return run.single->series;
  return absl::InvalidArgumentError("a single run needs the interval of its pairs");
}

// In the order of time where it is known of each, else as they are.
std::vector<RunValue> InOrderOfTime(absl::Span<const RunValue> runs) {
  std::vector<RunValue> ordered(runs.begin(), runs.end());
  const auto is_known = [](const RunValue& run) { return run.start_s >= 0; };
  if (!std::all_of(ordered.begin(), ordered.end(), is_known)) return ordered;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const RunValue& a, const RunValue& b) { return a.start_s < b.start_s; });
  return ordered;
}

// The mean of one value for each unit.
MeanEstimate MeanOfUnits(absl::Span<const double> values, const Units& units) {
  MeanEstimate mean =
      units.in_time ? MeanOfDependent(values, units.max_time_slots) : MeanOfIndependent(values);
  if (units.core_state.has_value()) {
    mean.error *= units.core_state->error_factor;
    mean.degrees_of_freedom =
        std::min(mean.degrees_of_freedom, units.core_state->degrees_of_freedom);
  }
  if (units.may_hide_modes) {
    const double least = LeastSpread(values.size());
    mean.error = std::max(mean.error, least / std::sqrt(static_cast<double>(values.size())));
  }
  return mean;
}

double HalfWidth(const MeanEstimate& mean, const DecisionPolicy& policy) {
  const double alpha = (1 - policy.level) * policy.share;
  return TwoSidedT(alpha, mean.degrees_of_freedom) * mean.error;
}

absl::StatusOr<RatioInterval> TypicalInterval(absl::Span<const RunValue> runs, const Units& units,
                                              const DecisionPolicy& policy) {
  if (runs.size() == 1) {
    const absl::StatusOr<SeriesEstimate> series = SeriesOf(runs[0]);
    if (!series.ok()) return series.status();
    return IntervalOfSeries(*series, policy.level);
  }
  if (absl::Status status = CheckLevel(policy.level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(units.weighted, 2); !status.ok()) return status;
  const MeanEstimate mean = MeanOfUnits(units.weighted, units);
  const double half = HalfWidth(mean, policy);
  return RatioInterval{std::exp(mean.mean),
                       std::exp(mean.mean - half),
                       std::exp(mean.mean + half),
                       policy.level,
                       units.kind,
                       ""};
}

void AddTotal(absl::Span<const RunValue> runs, const Units& units, const DecisionPolicy& policy,
              Decision* decision) {
  if (!units.has_totals) return;
  TotalInput input;
  input.runs = units.totals;
  input.run_log_ratios = units.typical;
  double pairs = 0;
  for (int v = 0; v < 2; ++v) input.iterations[v] = 0;
  for (const RunValue& run : runs) {
    const auto weight = static_cast<double>(run.pairs);
    pairs += weight;
    for (int v = 0; v < 2; ++v) input.iterations[v] += weight * run.sample_iterations[v];
  }
  for (double& iterations : input.iterations) iterations /= pairs;
  input.least = LeastNotable(policy.margin);
  absl::StatusOr<TotalRatio> total = ComputeTotalRatio(input, policy.level, policy.share);
  if (!total.ok()) return;
  if (runs.size() > 1) {
    RatioInterval& interval = total->interval;
    const double half = HalfWidth(MeanOfUnits(total->run_values, units), policy);
    interval.lo = std::min(interval.lo, interval.ratio * std::exp(-half));
    interval.hi = std::max(interval.hi, interval.ratio * std::exp(half));
  }
  if (units.may_hide_modes) WidenToLeastSpread(total->run_values, policy.share, &total->interval);
  decision->total_decides =
      policy.estimand == Estimand::kTotal || (policy.estimand == Estimand::kAuto && total->differs);
  if (policy.estimand == Estimand::kAuto) {
    decision->open_total = OpenTotal(*total, decision->typical);
  }
  decision->total = *std::move(total);
}

void WidenBy(double log_width, RatioInterval* interval) {
  interval->lo *= std::exp(-log_width);
  interval->hi *= std::exp(log_width);
}

// The difference between the variants' shares of pauses: the median of the runs. The processor does
// not overlap the work before a pause with the work after it, which lengthens the work by about as
// much as the pause takes. Of two pauses in 500 ns of divisions each took 40 ns, and lengthened the
// work by 50 to 90 ns more (AMD EPYC, Zen 3, 12 tries).
double ErrorOfPauses(absl::Span<const RunValue> runs) {
  std::vector<double> differences;
  for (const RunValue& run : runs) {
    differences.push_back(run.pause_share[1] - run.pause_share[0]);
  }
  return std::abs(Median(std::move(differences)));
}

void SetError(absl::Span<const double> values, const Units& units, Decision* decision) {
  const MeanEstimate mean = MeanOfUnits(values, units);
  decision->log_error = mean.error;
  decision->degrees_of_freedom = mean.degrees_of_freedom;
}

// `core_state` was taken out of the runs.
absl::StatusOr<Decision> DecideFrom(absl::Span<const RunValue> runs,
                                    const std::optional<CoreState>& core_state,
                                    const DecisionPolicy& policy) {
  Decision decision;
  decision.core_state = core_state;
  decision.margin = policy.margin;
  decision.share = policy.share;
  decision.systematic = ErrorOfPauses(runs);
  Units units = UnitsOf(runs, &decision.layouts);
  units.core_state = decision.core_state;
  units.max_time_slots = policy.max_time_slots;
  absl::StatusOr<RatioInterval> typical = TypicalInterval(runs, units, policy);
  if (!typical.ok()) return typical.status();
  decision.typical = *std::move(typical);
  if (units.may_hide_modes) WidenToLeastSpread(units.weighted, policy.share, &decision.typical);
  AddTotal(runs, units, policy, &decision);

  WidenBy(decision.systematic, &decision.typical);
  if (decision.total.has_value()) WidenBy(decision.systematic, &decision.total->interval);
  decision.interval = decision.total_decides ? decision.total->interval : decision.typical;
  if (decision.total_decides) {
    SetError(decision.total->run_values, units, &decision);
  } else if (runs.size() == 1) {
    decision.log_error = runs[0].single->series->log_error;
    decision.degrees_of_freedom = runs[0].single->series->degrees_of_freedom;
  } else {
    SetError(units.weighted, units, &decision);
  }
  decision.run_log_ratios = decision.total_decides && runs.size() > 1 ? decision.total->run_values
                                                                      : std::move(units.weighted);
  decision.typical_log_ratios = std::move(units.typical);
  return decision;
}

bool IsNarrower(const RatioInterval& interval, const RatioInterval& than) {
  return interval.hi / interval.lo < than.hi / than.lo;
}

}  // namespace

absl::StatusOr<Decision> Decide(const DecisionInput& input, const DecisionPolicy& asked) {
  if (input.values.empty()) return absl::InvalidArgumentError("the experiment has no runs");
  DecisionPolicy policy = asked;
  if (input.two_speeds.has_value() && policy.estimand == Estimand::kAuto) {
    policy.estimand = Estimand::kTypical;
  }
  std::vector<RunValue> runs = InOrderOfTime(input.values);
  const std::size_t slow_core_runs = LeaveOutSlowCore(&runs);
  absl::StatusOr<Decision> decision = DecideFrom(runs, std::nullopt, policy);
  if (!decision.ok()) return decision;
  if (const std::optional<CoreState> core_state = RemoveCoreState(&runs); core_state.has_value()) {
    absl::StatusOr<Decision> without_core_state = DecideFrom(runs, core_state, policy);
    if (without_core_state.ok() && IsNarrower(without_core_state->interval, decision->interval)) {
      decision = std::move(without_core_state);
    }
  }
  decision->slow_core_runs = slow_core_runs;
  decision->estimand = asked.estimand;
  static_cast<Reservations&>(*decision) = input;
  JudgeVerdict(&*decision);
  return decision;
}

namespace {

// Sets `*outcome` to `of` of the interval, unless something else in the decision says otherwise:
// then it stays undecided, as it is. `of` is a function of an interval.
template <class Outcome, class Of>
Why Judge(const Decision& decision, const Of& of, Outcome* outcome) {
  const Outcome undecided = *outcome;
  const auto at = [&](double ratio) { return of(PointInterval(ratio)); };
  if (decision.is_withheld()) return decision.why_withheld();
  const Outcome by_interval = of(decision.interval);
  if (decision.two_speeds.has_value()) {
    const Outcome at_fast = at(decision.two_speeds->ratio[0]);
    if (at(decision.two_speeds->ratio[1]) != at_fast) return Why::kTwoSpeeds;
    if (by_interval != undecided && by_interval != at_fast) return Why::kTwoSpeeds;
  }
  if (by_interval == undecided) return Why::kWide;
  if (decision.open_total.has_value() && at(*decision.open_total) != by_interval) {
    return Why::kOpenTotal;
  }
  *outcome = by_interval;
  return Why::kDecided;
}

// More runs say no more.
bool IsFinal(Why why) {
  return why == Why::kMeasuredTogether || why == Why::kPauses || why == Why::kLacksWork;
}

}  // namespace

void JudgeVerdict(Decision* decision) {
  decision->verdict = Verdict::kInconclusive;
  decision->why = Judge(
      *decision, [&](const RatioInterval& interval) { return Decide(interval, decision->margin); },
      &decision->verdict);
}

bool EndsMeasuring(const Decision& decision) {
  if (decision.why != Why::kDecided) return IsFinal(decision.why);
  // Fewer runs may not have seen a mode of the program that makes a difference.
  return decision.verdict != Verdict::kEqual || decision.layouts.has_value() ||
         decision.run_log_ratios.size() + decision.slow_core_runs >= kManyRuns;
}

double HalfWidthOfVerdict(double log_ratio, double margin) {
  return std::max(std::abs(log_ratio), std::log1p(margin) - std::abs(log_ratio));
}

double HalfWidthOfGate(double log_ratio, const RatioLimits& limits) {
  const double above = std::abs(log_ratio - std::log(limits.hi));
  return limits.lo > 0 ? std::min(above, std::abs(log_ratio - std::log(limits.lo))) : above;
}

GateOutcome JudgeInterval(const RatioInterval& interval, const RatioLimits& limits) {
  if (interval.lo >= limits.lo && interval.hi <= limits.hi) return GateOutcome::kPass;
  const bool is_outside = interval.lo > limits.hi || interval.hi < limits.lo;
  return is_outside ? GateOutcome::kFail : GateOutcome::kInconclusive;
}

GateDecision JudgeRatio(const Decision& decision, const RatioLimits& limits) {
  GateDecision gate;
  gate.why = Judge(
      decision, [&](const RatioInterval& interval) { return JudgeInterval(interval, limits); },
      &gate.outcome);
  gate.ends_measuring = IsFinal(gate.why);
  if (decision.is_withheld() || gate.why == Why::kTwoSpeeds) return gate;
  const double alpha = 1 - decision.interval.level;
  gate.p = TailPValue(std::log(decision.interval.ratio), decision.log_error,
                      decision.degrees_of_freedom, limits.lo, limits.hi, decision.share);
  const bool is_single = decision.typical_log_ratios.size() == 1;
  if (is_single) gate.p = std::max(gate.p, kDecision.least_p_of_single_run);
  // Where they disagree, by rounding, the least half-width or an open total, the interval counts.
  if (gate.outcome == GateOutcome::kFail) {
    gate.p = std::min(gate.p, alpha);
  } else if (gate.p <= alpha) {
    gate.p = 1;
  }
  const bool may_pass = decision.layouts.has_value() || is_single ||
                        MayPassEarly(std::log(decision.interval.ratio),
                                     decision.run_log_ratios.size(), limits.lo, limits.hi);
  gate.ends_measuring = (gate.outcome != GateOutcome::kPass || may_pass) &&
                        EndsMeasuring(gate.outcome, gate.p, decision.interval.level);
  return gate;
}

bool EndsMeasuring(GateOutcome outcome, double p, double level) {
  if (outcome == GateOutcome::kPass) return true;
  return outcome == GateOutcome::kFail && p <= (1 - level) / kDecision.largest_suite;
}

}  // namespace duetbench::stats
