#ifndef DUETBENCH_DECIDE_DECISION_H_
#define DUETBENCH_DECIDE_DECISION_H_

#include <cmath>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/quantile_ratio.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/decide/total_ratio.h"
#include "duetbench/decide/two_speeds.h"
#include "duetbench/record/options.h"
#include "duetbench/record/verdict.h"

// Decision about the ratio new/old from the runs of an experiment: the one place that applies the
// mean of the runs, the least spread, the choice between typical and total ratio, reservations, and
// the rule of verdicts and gates. The program, its interim analyses and gates, groups, matchers and
// duet_stat all call it. The constants are in decision_policy.h. Pure functions.
namespace duetbench::stats {

// Why there is no verdict, or why a gate is undecided.
enum class Why {
  kDecided,  // there is one
  // The ratio decides nothing, whatever its interval (Reservations):
  kBiased,
  kMeasuredTogether,
  kOneRun,
  kPauses,
  kLacksWork,
  // The ratio decides, but not this:
  kTwoSpeeds,  // it would be decided otherwise at one of two speeds
  kOpenTotal,  // it would be decided otherwise by the total ratio (Decision::open_total)
  kWide,       // the interval is too wide
  // The runs see a part of the input, on which the ratio depends (Reservations).
  kPartOfInput,
};

// Findings about the pairs of an experiment that limit what its ratio decides.
struct Reservations {
  // Pairs that were disturbed had to be used, and the times of most of them are not known.
  bool is_biased = false;
  bool lacks_work[2] = {false, false};  // by the compiler, of each variant
  // PauseShare of each variant, where it is so large that what is left is no time
  // (select_pairs.cc).
  double pause_share[2] = {0, 0};
  // The variants disturb each other, and a schedule was demanded in which they run together.
  bool measured_together = false;
  // The spread of runs is not known.
  bool is_one_run = false;
  // A variant runs at two speeds with another ratio at each: the verdict and gates hold at both of
  // them, or are undecided. Means over two speeds differ by themselves from the ratio of totals,
  // which is no slow path: the typical ratio decides unless another one was chosen.
  std::optional<TwoSpeeds> two_speeds;

  // The ratio depends on the position in a run, and ln of that of a much longer run may differ by
  // this much: the interval is wider by it, and the ratio of total times decides unless another one
  // was chosen. 0: it does not depend; infinite: the runs see a part of the input.
  double position_error = 0;
  double taper = 0;  // of the runs in the total ratio (Weight)

  // The first reservation by which the ratio decides nothing; kDecided: there is none.
  Why why_withheld() const {
    if (is_biased) return Why::kBiased;
    if (measured_together) return Why::kMeasuredTogether;
    if (is_one_run) return Why::kOneRun;
    if (pause_share[0] > 0 || pause_share[1] > 0) return Why::kPauses;
    if (lacks_work[0] || lacks_work[1]) return Why::kLacksWork;
    return std::isinf(position_error) ? Why::kPartOfInput : Why::kDecided;
  }
  bool is_withheld() const { return why_withheld() != Why::kDecided; }
};

// The runs of an experiment, reduced to what decides.
struct DecisionInput : Reservations {
  std::vector<RunValue> values;  // one for each run
};

struct Decision : Reservations {
  RatioInterval interval{};  // of the ratio that decides: `typical` or that of `total`
  // The t interval of the robust mean (robust_mean.h) of the runs, or of the layouts where these
  // decide (run_value.h). Of a single run it has no bounds.
  RatioInterval typical{};
  std::optional<TotalRatio> total;  // absent for a single run
  bool total_decides = false;
  // The total ratio where it may be another one than the typical one (OpenTotal), and nobody has
  // chosen the estimand: verdict and gates hold for it too, or are undecided.
  std::optional<double> open_total;
  Verdict verdict = Verdict::kInconclusive;
  Why why = Why::kWide;  // the verdict is kInconclusive
  double margin = 0;     // of the verdict
  double share = 1;      // of 1 - level that was spent (interval.h)
  // By how much ln(new/old) may be wrong in all runs alike, because the variants pause unlike or
  // the runs see a part of the input: the intervals are wider by this on both sides.
  double systematic = 0;
  // Values that the interval is made of, one for each run or layout: logarithms of the ratio that
  // decides.
  std::vector<double> run_log_ratios;
  // The typical ratio of each run.
  std::vector<double> typical_log_ratios;
  // Typical ratios of runs, or of layouts, that are far off and not part of the typical ratio.
  std::vector<double> far_off;
  // Where the addresses of the runs decide how wide the interval is.
  std::optional<RatioRange> by_address;
  // Runs that were left out since the core was slow in them.
  std::size_t slow_core_runs = 0;
  // Standard error of the logarithm of the ratio that decides, at least that of the least spread,
  // and its degrees of freedom.
  double log_error = 0;
  double degrees_of_freedom = 0;
};

// The decision about the runs of one experiment, in any order. Withheld ratios have an interval,
// too. The level, the margin and the estimand are those of `options`; this analysis spends `share`
// of 1 - level (interval.h). InvalidArgument without a run, for a value that is not finite, or a
// level outside (0, 1).
absl::StatusOr<Decision> Decide(const DecisionInput& input, const ExperimentOptions& options,
                                double share = 1);

// Sets the verdict, and why there is none, by everything else in `decision`.
void JudgeVerdict(Decision* decision);

// True if no more runs are needed for the verdict.
bool EndsMeasuring(const Decision& decision);

// --- Gates ---

// The answer to a gate.
struct GateResult {
  GateSpec spec;
  GateStatus outcome = GateStatus::kInconclusive;
  Why why = Why::kWide;  // `outcome` is kInconclusive
  double level = 0.99;   // of the analysis
  // The smallest 1 - level at which the gate FAILs; Holm's correction over a suite uses it. At most
  // 1 - level exactly if the gate FAILs.
  double p = 1;
  // True if an interim analysis with this answer ends the measuring: it is decided, or more runs
  // would not help.
  bool ends_measuring = false;
  int runs = 0;  // that have the metric for both variants; 0: it was not measured
  // The ratio of the metric, new/old, at `level`. Absent with too few runs or calls, and where a
  // variant counted 0 in a run.
  std::optional<RatioInterval> interval;
  double mean[2] = {0, 0};             // by variant, of a counter: over these runs, per iteration
  std::optional<QuantileRatio> calls;  // of a quantile of calls
};

// PASS: the interval lies in the ratios that `spec` allows. FAIL: it lies outside, entirely on one
// side. Else, and for NaN, INCONCLUSIVE.
GateStatus Judge(const GateSpec& spec, const RatioInterval& interval);

// The answer to a gate on times.
GateResult JudgeGate(const GateSpec& spec, const Decision& decision);

// Sets p, and whether the measuring ends, once there is an outcome. Where p disagrees with it, by
// rounding, a least half-width, an open total or a gap at a quantile, the interval counts.
//
// A PASS ends the measuring. A FAIL ends it when p is at most (1 - level) / 1000: then it survives
// Holm's correction in a suite of 1000 gates. Else the measuring goes on, and the final analysis
// decides. A clear failure has such a p by the second analysis: 10 % against 5 % with runs that
// spread by 0.3 % within 8 runs.
void SetPValue(double p, GateResult* gate);

// By what factor an interval with the half-width `reached` (a logarithm, without the systematic
// error) has to become narrower to decide the gate or, without one, the verdict, in about four of
// five cases, if its ratio stays where it is: it then contains no limit; or excludes 1, or lies
// within the margin. Infinite: no width would.
double NarrowingToDecide(const Decision& decision, const GateSpec* gate, double reached);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_DECISION_H_
