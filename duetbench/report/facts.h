#ifndef DUETBENCH_REPORT_FACTS_H_
#define DUETBENCH_REPORT_FACTS_H_

#include <map>
#include <optional>
#include <string>

#include "duetbench/decision/verdict.h"
#include "duetbench/gates/suite.h"
#include "duetbench/report/shown_suite.h"
#include "duetbench/stats/interval.h"

// The one list of what all outputs say of a duet in numbers: JSON, CSV, JUnit and the page take
// theirs from here. Pure functions.
namespace duetbench {

using Numbers = std::map<std::string, double>;

// The numbers of a comparison by the names that reports give them:
//   ratio, ratio_lo, ratio_hi, ratio_level; runs, pairs, pairs_dropped; pairing_gain, skew_ns;
//   schedule, wall_seconds, kept_share; ratio_total and ratio_typical where both were compared;
//   far_off (runs); ratio_by_address_lo, ratio_by_address_hi (lowest and highest of a run);
//   calls, ratio_p99, ratio_p99_lo, ratio_p99_hi of single calls;
//   perf.EVENT.old, .new, .ratio, .ratio_lo, .ratio_hi, of derived columns .old and .new;
//   of a gate: gate (1 PASS, 0 INCONCLUSIVE, -1 FAIL), gate_p, gate_lo and gate_hi (the ratios that
//   it allows; gate_lo only where there is a least one), gate_looks, gate_seconds; of a gate on a
//   counter or a quantile gate.NAME and gate_p.NAME.
// What is not known or not finite is left out. Empty for a dry run and a failure.
Numbers NumbersOf(const Comparison& comparison);

// The interval "ratio", "ratio_p99" and so on. An end that is left out is 0 or infinite. Nothing if
// there is none, or no valid one.
std::optional<stats::RatioInterval> IntervalIn(const Numbers& numbers, const std::string& name);

// A duet as its program knows it, or as a JSON report of the program gives it.
struct DuetFacts {
  std::string name;
  std::string error;  // why there is no ratio; else empty
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  double time_ns[2] = {0, 0};  // per iteration; 0: not known
  Numbers numbers;             // NumbersOf
  Numbers counters[2];         // that each variant reports
};

DuetFacts FactsOf(const SuiteEntry& entry);

// The page about them. Texts beyond numbers, quantiles and pairs are left to the caller.
page::ShownBenchmark ShownFacts(const DuetFacts& facts);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_FACTS_H_
