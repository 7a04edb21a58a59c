#ifndef DUETBENCH_REPORT_SUITE_FACTS_H_
#define DUETBENCH_REPORT_SUITE_FACTS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/suite_summary.h"

// From what was decided to what is said of it. Pure functions.
namespace duetbench {

// The numbers of a comparison by the names that reports give them (tools/report.schema.json has
// all); JSON, CSV and JUnit take theirs from here. Of a gate: gate (1 PASS, 0 INCONCLUSIVE, -1
// FAIL); of one on a counter or a quantile gate.NAME. What is not known or not finite is left out.
// Empty for a dry run and a failure.
Numbers NumbersOf(const Comparison& comparison);

// A duet alone: without its place, its command, its status among all gates, and their message.
Facts FactsOf(const std::string& name, const Comparison& comparison);

// The facts of a suite with this summary. `program` is its name; `header` are the lines of the
// console about the machine and the options.
SuiteFacts FactsOf(absl::Span<const SuiteEntry> suite, const SuiteSummary& summary,
                   const std::string& program, const std::vector<std::string>& header,
                   const CpuPairChoice& cpus);

// The picture of all pairs of a run, of which at most `most` > 0 are shown.
RunPicture PictureOfRun(size_t run, absl::Span<const ShownPair> pairs, size_t most);

// The picture of the run whose ratio, by the mean ln(new/old) of its undisturbed pairs, is in the
// middle, of an experiment with a ratio: 160 of its pairs at most, disturbed ones included.
// Times are by the clock of the ratio. Empty without a ratio, and if no run has pairs.
RunPicture PictureOfMiddleRun(const Comparison& result, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_FACTS_H_
