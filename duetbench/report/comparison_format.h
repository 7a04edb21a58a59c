#ifndef DUETBENCH_REPORT_COMPARISON_FORMAT_H_
#define DUETBENCH_REPORT_COMPARISON_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/experiment/notice.h"
#include "duetbench/gates/comparison.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/stats/ratio_format.h"

// The results of a comparison as text: pure functions, without colors and without layout. Numbers
// are rounded; decisions were made before. RatioText and IntervalText are in ratio_format.h.
namespace duetbench {

// A difference that an experiment "detects" is found by this share of such experiments.
inline constexpr double kDetectionPower = 0.95;

// The outcome of the gate, if there is one, then the verdict and its meaning:
//   "FAIL (allowed +5 %), SLOWER: new takes 7.30 % more time"
// After a dry run: that there is no verdict. Not for a failure.
std::string VerdictSentence(const Comparison& comparison);

// "40 runs, 18213 pairs, 12 dropped", and what limits the result: "; this process only", "; not a
// duet: interleaved on one CPU", "; interrupted, 40 runs were planned".
std::string EffortText(const Estimate& estimate);

// Which variant failed how, and in which run.
//   "new threw std::runtime_error: no such file (in run 3)"
std::string ErrorText(const Failure& failure);

// A sentence for a notice.
std::string NoticeText(const Notice& notice);

// What the diagnosis found, the most important first.
std::vector<std::string> ExplanationLines(const Estimate& estimate);

// --- Gates ---

// "allowed +5 %", "allowed -10 %", "allowed ±2 %", "demanded 1.2 times as fast".
std::string GateSpecText(const GateSpec& spec);

// "new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %)", "new takes 3.2 % less time than old
// (…)", "new takes 2.05 times as long as old (99 % interval 2.01 … 2.09 times)".
std::string DifferenceText(const stats::RatioInterval& interval);

// Smallest slow-down that as many runs, with the spread of these, find in 95 % of cases at the
// level of the gate's analysis: 0.004 for 0.4 %. 0 if it is unknown: fewer than two runs.
double DetectableSlowdown(const Comparison& comparison);

// All about a gate, for a reader of a log that has only this line. The comparison has an estimate
// and a gate.
//   FAIL BM_Parse/1024: new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %), allowed +5 %.
//   10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores, shared L3). A/A on this machine
//   detects ≥ 0.4 %.
std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus);

// --- CTest ---

// The ratio and the ends of its interval, each a line that ctest takes out of the output of a test
// and puts into Test.xml ("ctest -T Test"), for CDash and the like:
//   <CTestMeasurement type="numeric/double" name="ratio">0.8</CTestMeasurement>
// An unbounded end is left out; empty without an estimate.
std::string CtestMeasurements(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COMPARISON_FORMAT_H_
