#ifndef DUETBENCH_REPORT_GATE_FORMAT_H_
#define DUETBENCH_REPORT_GATE_FORMAT_H_

#include <string>

#include "duetbench/gates/comparison.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/interval.h"
#include "duetbench/text/variant_names.h"

// Gates as text: pure functions.
namespace duetbench {

// A difference that an experiment "finds" is found by this share of such experiments.
inline constexpr double kDetectionPower = 0.95;

// "limit 1.05 ×", "limits 0.9804 to 1.02 ×". Of MinSpeedup(1.5) "limit 0.6667 ×".
std::string GateSpecText(const GateSpec& spec);
// The same for ratios from `lo`, 0: none, to `hi`.
std::string GateLimitText(double lo, double hi);

// The meaning of the row of a gate:
//   "FAIL (limit 1.05 ×): 1.061 to 1.085 ×, all above the limit"
//   "INCONCLUSIVE (limit 1.05 ×): 0.979 to 1.066 ×, on both sides; about 28 s would decide"
// The comparison has an estimate and a gate.
std::string GateSentence(const Comparison& comparison);
// Its second part: "1.061 to 1.085 ×, all above the limit".
std::string GateMeaning(const Comparison& comparison);

// "new takes 1.073 × the time of old (99 % interval 1.061 to 1.085 ×)".
std::string DifferenceText(const stats::RatioInterval& interval, const VariantNames& names = {});

// Smallest slow-down that as many runs, with the spread of these, find in 95 % of cases at the
// level of the gate's analysis: 0.004 for 0.4 %. 0 if it is unknown: fewer than two runs.
double DetectableSlowdown(const Comparison& comparison);

// All about a gate, for a reader of a log that has only this line. The comparison has an estimate
// and a gate.
//   FAIL BM_Parse/1024: new takes 1.073 × the time of old (99 % interval 1.061 to 1.085 ×), all
//   above the limit of 1.05 ×. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores). 10
//   runs could have found a slow-down of 0.4 %.
std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus);

// The messages of all gates of the comparison, on times, counters and quantiles, those that do not
// hold first.
std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_GATE_FORMAT_H_
