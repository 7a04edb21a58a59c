#include "duetbench/decide/decision.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/robust_mean.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

// Independent values: runs, or layouts with several of them.
struct Units {
  std::size_t runs = 0;
  std::vector<double> typical;  // the typical log-ratio of each
  std::vector<RunTotals> totals;
  bool has_totals = true;
};

Units UnitsOf(absl::Span<const RunValue> runs, absl::Span<const double> log_ratios) {
  Units units;
  units.runs = runs.size();
  units.has_totals =
      std::all_of(runs.begin(), runs.end(), [](const RunValue& run) { return run.has_totals; });
  std::vector<int> layouts;
  for (const RunValue& run : runs) layouts.push_back(run.layout);
  const std::vector<RunUnit> independent = IndependentUnits(log_ratios, layouts);
  units.typical = UnitMeans(log_ratios, independent);
  for (const RunUnit& unit : independent) {
    std::vector<RunTotals> totals;
    for (const std::size_t run : unit) totals.push_back(runs[run].totals);
    units.totals.push_back(Merged(totals));
  }
  return units;
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

// `mean` of the units, with no smaller error than the least spread of the runs has.
MeanEstimate WithLeastSpread(MeanEstimate mean, const Units& units) {
  const auto runs = static_cast<double>(units.runs);
  mean.error = std::max(mean.error, LeastSpread(units.runs) / std::sqrt(runs));
  return mean;
}

// At least least_half_width.
double HalfWidth(const MeanEstimate& mean, double alpha) {
  return std::max(TwoSidedT(alpha, mean.degrees_of_freedom) * mean.error,
                  kDecision.least_half_width);
}

void SetError(const MeanEstimate& mean, Decision* decision) {
  decision->log_error = mean.error;
  decision->degrees_of_freedom = mean.degrees_of_freedom;
}

void AddTypical(const Units& units, double level, Decision* decision) {
  if (units.runs == 1) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    decision->typical = {std::exp(units.typical[0]), 0, kInfinite, level};
    return SetError({units.typical[0], kInfinite, 0, {}}, decision);
  }
  const MeanEstimate mean =
      WithLeastSpread(RobustMean(units.typical, MostFarOff(units.runs)), units);
  const double half = HalfWidth(mean, (1 - level) * decision->share);
  decision->typical = {std::exp(mean.mean), std::exp(mean.mean - half), std::exp(mean.mean + half),
                       level};
  for (const double log_ratio : mean.far_off) decision->far_off.push_back(std::exp(log_ratio));
  SetError(mean, decision);
}

void AddTotal(absl::Span<const RunValue> runs, const Units& units, double level, Estimand estimand,
              Decision* decision) {
  if (!units.has_totals || units.totals.size() < 2) return;
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
  input.least = LeastNotable(decision->margin);
  TotalRatio total = ComputeTotalRatio(input, level, decision->share);
  const MeanEstimate mean = WithLeastSpread(MeanOfSeries(total.run_values), units);
  RatioInterval& interval = total.interval;
  const double half = HalfWidth(mean, (1 - level) * decision->share);
  interval.lo = std::min(interval.lo, interval.ratio * std::exp(-half));
  interval.hi = std::max(interval.hi, interval.ratio * std::exp(half));
  decision->total_decides =
      estimand == Estimand::kTotal || (estimand == Estimand::kAuto && total.differs);
  if (estimand == Estimand::kAuto) decision->open_total = OpenTotal(total, decision->typical);
  if (decision->total_decides) SetError(mean, decision);
  decision->total = std::move(total);
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

absl::StatusOr<Decision> Decide(const DecisionInput& input, const ExperimentOptions& options,
                                double share) {
  if (input.values.empty()) return absl::InvalidArgumentError("the experiment has no runs");
  Estimand estimand = options.estimand;
  if (estimand == Estimand::kAuto) {
    if (input.two_speeds.has_value()) estimand = Estimand::kTypical;
    if (input.position_error > 0) estimand = Estimand::kTotal;
  }
  std::vector<RunValue> runs = InOrderOfTime(input.values);
  Decision decision;
  static_cast<Reservations&>(decision) = input;
  decision.is_one_run = runs.size() == 1;
  decision.slow_core_runs = LeaveOutSlowCore(&runs);
  decision.margin = options.margin;
  decision.share = share;
  decision.systematic = ErrorOfPauses(runs) + input.position_error;
  for (const RunValue& run : runs) decision.typical_log_ratios.push_back(run.log_ratio);
  if (absl::Status status = CheckLevel(options.level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(decision.typical_log_ratios, 1); !status.ok()) {
    return status;
  }
  Units units = UnitsOf(runs, decision.typical_log_ratios);
  AddTypical(units, options.level, &decision);
  AddTotal(runs, units, options.level, estimand, &decision);
  WidenBy(decision.systematic, &decision.typical);
  if (decision.total.has_value()) WidenBy(decision.systematic, &decision.total->interval);
  decision.interval = decision.total_decides ? decision.total->interval : decision.typical;
  decision.run_log_ratios =
      decision.total_decides ? decision.total->run_values : std::move(units.typical);
  decision.by_address = RatiosByAddress(runs);
  JudgeVerdict(&decision);
  return decision;
}

void JudgeVerdict(Decision* decision) {
  decision->verdict = Verdict::kInconclusive;
  decision->why = Judge(
      *decision, [&](const RatioInterval& interval) { return Decide(interval, decision->margin); },
      &decision->verdict);
}

bool EndsMeasuring(const Decision& decision) {
  if (decision.why != Why::kDecided) return IsFinal(decision.why);
  // Fewer runs may not have seen a mode of the program that makes a difference.
  return decision.verdict != Verdict::kEqual ||
         decision.typical_log_ratios.size() + decision.slow_core_runs >= kManyRuns;
}

double NarrowingToDecide(const Decision& decision, const GateSpec* gate, double reached) {
  const double log_ratio = std::log(decision.interval.ratio);
  const auto distance = [&](double limit) { return std::abs(log_ratio - std::log(limit)); };
  const double half_width = gate != nullptr
                                ? std::min(distance(gate->lo()), distance(gate->hi()))
                                : std::max(distance(1), std::log1p(decision.margin) - distance(1));
  const double needed = half_width - decision.systematic;
  return needed > 0 ? kDecision.room_to_decide * reached / needed
                    : std::numeric_limits<double>::infinity();
}

GateStatus Judge(const GateSpec& spec, const RatioInterval& interval) {
  if (interval.lo >= spec.lo() && interval.hi <= spec.hi()) return GateStatus::kPass;
  const bool is_outside = interval.lo > spec.hi() || interval.hi < spec.lo();
  return is_outside ? GateStatus::kFail : GateStatus::kInconclusive;
}

GateResult JudgeGate(const GateSpec& spec, const Decision& decision) {
  GateResult gate;
  gate.spec = spec;
  gate.level = decision.interval.level;
  gate.interval = decision.interval;
  gate.runs = static_cast<int>(decision.typical_log_ratios.size());
  gate.why = Judge(
      decision, [&](const RatioInterval& interval) { return Judge(spec, interval); },
      &gate.outcome);
  gate.ends_measuring = IsFinal(gate.why);
  if (decision.is_withheld() || gate.why == Why::kTwoSpeeds) return gate;
  const double log_ratio = std::log(decision.interval.ratio);
  SetPValue(TailPValue(log_ratio, decision.log_error, decision.degrees_of_freedom, spec.lo(),
                       spec.hi(), decision.share),
            &gate);
  if (gate.outcome == GateStatus::kPass) {
    gate.ends_measuring =
        MayPassEarly(log_ratio, decision.typical_log_ratios.size(), spec.lo(), spec.hi());
  }
  return gate;
}

void SetPValue(double p, GateResult* gate) {
  const double alpha = 1 - gate->level;
  if (gate->outcome == GateStatus::kFail) {
    gate->p = std::min(p, alpha);
  } else {
    gate->p = p <= alpha ? 1 : std::min(p, 1.0);
  }
  if (gate->outcome != GateStatus::kInconclusive) gate->why = Why::kDecided;
  gate->ends_measuring =
      gate->outcome == GateStatus::kPass ||
      (gate->outcome == GateStatus::kFail && gate->p <= alpha / kDecision.largest_suite);
}

}  // namespace duetbench::stats
