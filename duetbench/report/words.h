#ifndef DUETBENCH_REPORT_WORDS_H_
#define DUETBENCH_REPORT_WORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/runner/comparison.h"
#include "duetbench/runner/machine.h"
#include "duetbench/runner/options.h"

// What the report says, as text: pure functions, without colours and without layout.
namespace duetbench {

// "0.797 x": with as many digits as the interval justifies, 3 to 5 after the point.
std::string RatioText(const stats::RatioInterval& interval);

// "[0.795, 0.799]", with the digits of RatioText. An unbounded end reads "0" or "inf".
std::string IntervalText(const stats::RatioInterval& interval);

// The verdict and what it means for a reader who sees only this line:
//   "FASTER: new takes 20.3 % less time"      "SLOWER: new takes 2.01 times as long"
//   "EQUAL: within 1 %"                       "INCONCLUSIVE: from 2.1 % less to 3.4 % more time"
std::string VerdictSentence(const Comparison& comparison);

// "40 runs, 18213 pairs, 12 dropped"; with what limits the result behind it: "this process only",
// "interleaved on one CPU: not a duet", "interrupted".
std::string EffortText(const Comparison& comparison);

// The head of a report: what was compared where and how, then every warning, a line each.
//   duetbench: CPUs 0 and 1 (separate cores, measured), tsc 2.60 GHz, 10 ns steps
//   duetbench: 10 to 40 runs, 1 s a benchmark, 99 % intervals, EQUAL within 1 %, --duet_seed=7
std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options);

// The row of an error: which variant, in which run, what happened.
//   "new threw std::runtime_error: no such file (run 3 of 40)"
std::string ErrorText(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_WORDS_H_
