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

// The numbers of a comparison by the names that reports give them; JSON, CSV and JUnit take theirs
// from here:
//   ratio, ratio_lo, ratio_hi, ratio_level; runs, pairs, pairs_dropped;
//   schedule, wall_seconds, kept_share; ratio_total and ratio_typical where both were compared;
//   far_off (runs); ratio_by_address_lo, ratio_by_address_hi (lowest and highest of a run);
//   calls, ratio_p99, ratio_p99_lo, ratio_p99_hi of single calls;
//   perf.EVENT.old, .new, .ratio, .ratio_lo, .ratio_hi;
//   of a gate: gate (1 PASS, 0 INCONCLUSIVE, -1 FAIL), gate_p, gate_lo and gate_hi (the ratios that
//   it allows; gate_lo only where there is a least one), gate_looks, gate_seconds; of a gate on a
//   counter or a quantile gate.NAME and gate_p.NAME.
// What is not known or not finite is left out. Empty for a dry run and a failure.
Numbers NumbersOf(const Comparison& comparison);

// A duet alone: without its place, its command, its status among all gates, and their message.
Facts FactsOf(const std::string& name, const Comparison& comparison);

// The facts of a suite with this summary. `program` is its name; `header` are the lines of the
// console about the machine and the options.
SuiteFacts FactsOf(absl::Span<const SuiteEntry> suite, const SuiteSummary& summary,
                   const std::string& program, const std::vector<std::string>& header,
                   const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_FACTS_H_
