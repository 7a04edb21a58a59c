#ifndef DUETBENCH_REPORT_COMPARISON_FORMAT_H_
#define DUETBENCH_REPORT_COMPARISON_FORMAT_H_

#include <string>
#include <vector>

#include "duetbench/gates/comparison.h"
#include "duetbench/text/ratio_format.h"

// The results of a comparison as text: pure functions, without colors and without layout. Numbers
// are rounded; decisions were made before. RatioText and IntervalText are in ratio_format.h.
namespace duetbench {

// The names of the functions in sentences: "old" and "new" where their names
// are the same, or too long.
VariantNames SentenceNames(const Comparison& comparison);

// The verdict and its meaning or, if there is a gate, its outcome and what decided it; for what is
// undecided, what would decide it:
//   "FASTER: BM_BTreeMap takes 0.797 × the time of BM_StdMap"
//   "FAIL (limit 1.05 ×): 1.061 to 1.085 ×, all above the limit"
//   "INCONCLUSIVE: new takes 0.979 to 1.034 × the time of old; about 28 s would decide"
// After a dry run: that there is no verdict. Not for a failure.
std::string VerdictSentence(const Comparison& comparison);

// Why the estimate of the comparison decides nothing, whatever its interval: "new takes no more
// time than an empty loop". Empty if it does.
std::string WithheldText(const Comparison& comparison);

// The verdict or the gate is undecided because it would be another one at one of two speeds.
bool IsOpenAtTwoSpeeds(const Comparison& comparison);

// "old runs at two speeds: the ratio is 1.02 x where it takes 170 ns (60 % of the parts of the
// runs) and 0.74 x where it takes 352 ns".
std::string TwoSpeedsText(const stats::TwoSpeeds& speeds);

// "; calls rarer than 1 in 2,000,000 were not seen"; empty where that does not limit what the
// estimate says.
std::string UnseenText(const Estimate& estimate);

// "40 runs", "40 runs in 8 link layouts".
std::string RunsText(const Estimate& estimate);

// The CPUs of an interleaved measurement on `cpu`, "CPU 0" or "one CPU": "interleaved on CPU 0"; if
// variants have threads: "interleaved on all CPUs".
std::string InterleavedText(const Estimate& estimate, const std::string& cpu);

// That, and what limits the result: ", 312 of 402 pairs dropped" (where most were), "; this
// process only", "; interleaved on one CPU", "; interrupted, 40 runs were planned".
std::string EffortText(const Estimate& estimate);

// Which variant failed how, and in which run.
//   "new threw std::runtime_error: no such file (in run 3)"
std::string ErrorText(const Failure& failure);

// Findings of the diagnosis that change a decision, the most important first:
// without the gain by pairing and the difference between the two CPUs, which the ratio contains.
std::vector<std::string> ExplanationLines(const Estimate& estimate);

// The parts of the code and of this program's link layout in the ratio (decision/layouts.h):
//   "code +0.1 ± 0.3 %, this layout adds +1.2 %; spread between layouts 0.9 %, between the runs of
//   one 0.2 %"
// Empty for an estimate of one layout.
std::string LayoutLine(const Estimate& estimate);

// --- CTest ---

// The ratio and the ends of its interval, each a line that ctest takes out of the output of a test
// and puts into Test.xml ("ctest -T Test"), for CDash and the like:
//   <CTestMeasurement type="numeric/double" name="ratio">0.8</CTestMeasurement>
// An unbounded end is left out; empty without an estimate.
std::string CtestMeasurements(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COMPARISON_FORMAT_H_
