#ifndef DUETBENCH_REPORT_WORDS_H_
#define DUETBENCH_REPORT_WORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/pairs_io/ratio_words.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/machine.h"
#include "duetbench/runner/options.h"

// What the report says, as text: pure functions, without colours and without layout.
namespace duetbench {

// How the gate came out, if there is one, and the verdict and what it means, or that there is none
// after a dry run:
//   "FAIL (allowed +5 %), SLOWER: new takes 7.30 % more time"
// RatioText and IntervalText stand beside it in ratio_words.h.
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
