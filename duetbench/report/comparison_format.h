#ifndef DUETBENCH_REPORT_COMPARISON_FORMAT_H_
#define DUETBENCH_REPORT_COMPARISON_FORMAT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/counter_summary.h"
#include "duetbench/decide/gate.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/notice.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/text.h"

// The results of a comparison as text: pure functions, without colors and without layout. Numbers
// are rounded; decisions were made before. RatioText and IntervalText are in text.h.
namespace duetbench {

// The names of the functions in sentences: "old" and "new" where their names
// are the same, or too long.
VariantNames SentenceNames(const Comparison& comparison);

// The verdict about a ratio and its meaning; for what is undecided, what would decide it:
//   "INCONCLUSIVE: new takes 0.979 to 1.034 × the time of old; about 28 s would decide"
std::string VerdictSentence(const Comparison& comparison);

// Why the verdict or a gate is undecided: "new takes no more time than an empty loop". Empty if it
// is decided, or the interval is too wide.
std::string WithheldText(const Comparison& comparison, stats::Why why);

// The typical and the total ratio, and why they differ:
//   "typical 1.00 x, total 2.01 x: one call in about 10,000 of new takes 10,000 times as long"
// The variant that is named is the one whose total exceeds its typical time by more.
std::string TotalSentence(const stats::RatioInterval& typical, const stats::TotalRatio& total);

// The same where the ratios differ, and slow calls explain it or the verdicts differ; else empty.
std::string TotalFinding(const stats::RatioInterval& typical, const stats::TotalRatio& total);

// "calls rarer than 1 in 2,000,000 were not seen"; `calls` of a variant were.
std::string UnseenText(double calls);

// The same after "; "; empty where that does not limit what the ratio says.
std::string UnseenText(const Comparison& comparison);

// "40 runs", "40 runs within 0.9 s".
std::string RunsText(const Comparison& comparison);

// The CPUs of an interleaved measurement on `cpu`, "CPU 0" or "one CPU": "interleaved on CPU 0"; if
// variants have threads: "interleaved on all CPUs".
std::string InterleavedText(const Comparison& comparison, const std::string& cpu);

// That, and what limits the result: ", 312 of 402 pairs dropped" (where most were), ", 3 left out
// beside others on the core", ", 1 far off (1.31 ×)" (neither is part of the ratio), "; by address
// 0.52 to 1.9 ×" (of the runs), "; this process only", "; interleaved on one CPU", "; interrupted,
// 40 runs were planned".
std::string EffortText(const Comparison& comparison);

// Which variant failed how, and in which run.
//   "new threw std::runtime_error: no such file (in run 3)"
std::string ErrorText(const Failure& failure);

// Two speeds, and slow calls, that a reader of the ratio must know of.
std::vector<std::string> ExplanationLines(const Comparison& comparison);

// A sentence for a notice.
std::string NoticeText(const Notice& notice);

// Two digits of 0.00794, rounded up: "0.8 %".
std::string PercentAtMost(double fraction);

// "fastest: flat_map; btree_map ties within 0.8 %; std::map takes 1.8 x". A variant whose interval
// is too wide for a tie "is between 0.97 and 1.12 x". "fastest: not known: flat_map runs at two
// speeds".
std::string RankingSentence(const Ranking& ranking);

// The quantiles of single calls as text.

// "p50", "p99.9".
std::string QuantileName(double quantile);

// Why a quantile has no interval: "too few calls, 8400 of 50000 needed". Intervals of several
// quantiles `together` need more calls than that of one: "too few calls for 3 quantiles at once,
// 8400 of 50000 needed".
std::string TooFewText(const stats::QuantileRatio& ratio, size_t together = 1);

// A line below a row:
//   "p99: 1.213 x [1.180, 1.251], a call 1.52 us -> 1.85 us"
std::string QuantileLine(const Facts::Quantile& quantile);

// Counters as text.

// "0.8 x [0.799, 0.801]"; without an interval where all runs have the same count. Empty: there is
// no ratio.
std::string CounterRatioText(const CounterComparison& counter);

// For the head of a report: what is counted and how, then what is not, why, and what would help, a
// line for each reason. Empty if no counter was asked for.
//   counting INSTRUCTIONS, CYCLES for both variants of duets, outside of what is timed
//   warning: not counted: L1-DCACHE-LOAD-MISSES: …
std::vector<std::string> CounterHeaderLines(const EventSurvey& survey);

// One line under a benchmark; empty if there is nothing to say.
//   per iteration, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.799, 0.801]), MINOR-FAULTS 0 ->
//   1000; in all, old -> new: PEAK-HEAP 1 MiB -> 2 MiB (2 x [1.99, 2.01])
std::string CounterLine(const std::vector<CounterComparison>& summary);

// Gates as text: pure functions.

// "limit 1.05 ×", "limits 0.9804 to 1.02 ×". Of MinSpeedup(1.5) "limit 0.6667 ×".
std::string GateSpecText(const GateSpec& spec);

// "p99" of a quantile of calls, the name of a counter; empty for the time.
std::string MetricName(const Metric& metric);

// The meaning of a gate:
//   "FAIL (limit 1.05 ×): 1.061 to 1.085 ×, all above the limit"
//   "FAIL (limit 1 ×): ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit"
// `gate` is one of the comparison.
std::string GateSentence(const Comparison& comparison, const GateResult& gate);
// Its second part: "1.061 to 1.085 ×, all above the limit".
std::string GateMeaning(const Comparison& comparison, const GateResult& gate);

// The messages of all gates of the comparison, those that do not hold first: all about a gate, for
// a reader of a log that has only this line.
//   FAIL BM_Parse/1024: new takes 1.073 × the time of old (99 % interval 1.061 to 1.085 ×), all
//   above the limit of 1.05 ×. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores).
//   FAIL BM_A: ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit of 1 ×, in 8 runs.
std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const CpuPairChoice& cpus);

// The time that would decide an undecided comparison. The width of an interval shrinks with the
// square root of the time, so that the time needed follows from the width that was reached and the
// one that is needed: that of an interval around the same ratio which lies on one side of 1 or
// within the margin (with a gate: on one side of the limit). Where the pairs of the runs spread
// more than the runs do, longer runs suffice, and no more set-ups. Pure.
//
// Wall time in seconds of an experiment that decides it in about four of five cases. Nothing if it
// is decided, if more time would not help (too many pairs were disturbed, the work was removed), or
// if it is not known: fewer than two runs, an unbounded interval. Infinite if the ratio lies on the
// limit.
std::optional<double> SecondsToDecide(const Comparison& comparison);

// The end of a sentence: "; about 28 s would decide", "; about 4 min would decide", "; more than a
// day would decide"; empty without SecondsToDecide. With too few slow calls, which leave that
// unknown: "; measure longer: total 1.2 ×, of too few slow calls".
std::string AndDecisionTime(const Comparison& comparison);

// The flag with which it is measured for so long, rounded up: "--benchmark_min_time=28", where
// a gate is measured until it is decided "--duet_max_time=28". Empty without SecondsToDecide, for
// more than a day, and within the budget of a suite.
std::string DecisionFlag(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COMPARISON_FORMAT_H_
