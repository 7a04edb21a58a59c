#ifndef DUETBENCH_EXPERIMENT_REPORT_HEAD_H_
#define DUETBENCH_EXPERIMENT_REPORT_HEAD_H_

#include <string>
#include <utility>
#include <vector>

#include "duetbench/experiment/machine.h"
#include "duetbench/record/options.h"

// The way in which the flags measure the duets of a program, for the head of a report. Pure
// functions.
namespace duetbench {

// For consoles: the CPUs and the clock, the options, then every warning, a line each.
//   duetbench: CPUs 0 and 1 (separate cores)
//   duetbench: 5 to 40 runs, 1 s a benchmark, 99 % intervals of new/old (real time), EQUAL within
//   1 % duetbench: clock tsc 2.60 GHz, 10 ns steps; --duet_seed=7
// `budget_s` is that of --duet_budget, 0 without one: where `duets` take long, a line names it.
std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options,
                                     double budget_s = 0, size_t duets = 1);

// For the "context" of a JSON report, by key; the seed makes the same random choices again. The
// keys begin with "duet_"; the values are text, because Google Benchmark has no others. What a
// benchmark sets for itself in the chain is not included.
std::vector<std::pair<std::string, std::string>> ContextEntries(const Machine& machine,
                                                                const ExperimentOptions& options);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_REPORT_HEAD_H_
