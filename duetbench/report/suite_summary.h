#ifndef DUETBENCH_REPORT_SUITE_SUMMARY_H_
#define DUETBENCH_REPORT_SUITE_SUMMARY_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/report/facts.h"

// The facts about a suite that a reviewer acts on, once for the console, Markdown, the page and
// JSON. Pure functions.
namespace duetbench {

// The ratios of several duets: those of a family, or all.
struct FamilyRatios {
  std::string name;    // of a family, without arguments
  VariantNames names;  // of its variants
  int count = 0;
  double log_sum = 0;
  double least = HUGE_VAL;
  double largest = 0;

  void Add(double ratio);
  // Its inverse is that of the inverse ratios.
  double geometric_mean() const { return std::exp(log_sum / count); }
  // "BM_Sort", or what its variants are: "BTreeMap takes 0.5 × the time of Map".
  std::string title() const;
};

// With probability `level`, no duet apart from the `besides` slower ones, and `open` ones that are
// not decided, got slower by more than this ratio: an upper bound of the largest true ratio of
// `duets` duets.
struct SlowDownBound {
  double ratio = 0;
  int duets = 0;  // those set apart not counted
  int besides = 0;
  int open = 0;
  double level = 0;
};

// A duet of a program.
struct SuiteEntry {
  Facts facts;                         // `gate` and `message` are those of SuiteFacts only
  std::vector<std::string> same_runs;  // the names of all duets that its runs measure
  std::string family;                  // the name without arguments
  Comparison comparison;               // its pairs are not needed
};

// Its entries are those of the suite, which outlives it.
struct SuiteSummary {
  std::vector<std::vector<GateStatus>> outcomes;  // of gates (JudgeSuite)
  int duets = 0;  // the sum of the following counts, and of the next three lists
  int equal = 0;
  int gates = 0;      // decided, and not slower, faster or equal
  int unchanged = 0;  // not measured, as old and new are the same program
  int not_measured = 0;

  std::vector<const SuiteEntry*> slower_duets;  // the largest change first
  std::vector<const SuiteEntry*> faster_duets;
  // Those of them that a false discovery rate of 5 % over the suite does not include.
  std::set<const SuiteEntry*> may_be_chance;
  std::vector<const SuiteEntry*> open_duets;  // those first that take least to decide
  FamilyRatios ratios;                        // of all duets that have one
  std::vector<FamilyRatios> families;         // of two at least, in the order of the suite
  std::optional<SlowDownBound> bound;
  // Verdicts SLOWER and FASTER that are false, at most, in the mean of such suites.
  double expected_false = 0;

  std::vector<const SuiteEntry*> rankings;  // of groups: their last duets with the base

  std::string repeat;  // the command line that measures the open ones again; may be empty
};

// The summary of a suite; `repeat` is left to the caller. A dry run has no duets.
//
// The bound is the largest upper end of all intervals. It needs no correction for the number of
// duets: whichever duet has the largest true ratio, its own upper end is at most the bound, and it
// exceeds that ratio with the level of one interval (intersection-union test; Berger, Technometrics
// 24, 1982). Where k slower or open ones are set apart, the largest of the others is one of the k +
// 1 largest true ratios. Upper ends at 1 - alpha / ((k + 1)(k + 2)) then miss in at most alpha of
// suites, since the sum of 1 / (r (r + 1)) over all ranks r is 1; with k = 0 they are the upper
// ends of the two-sided intervals.
//
// Without gates, the false discovery rate is controlled (Benjamini and Hochberg, 1995) and not the
// chance of any false verdict: a reader of a list accepts that a few in a hundred are false, and
// Holm's correction, which a gate needs because one false failure stops a merge, misses most of the
// small changes in a long list. n tests at the largest p-value p of the list give n p false ones in
// the mean, whatever their dependence.
SuiteSummary SummarizeSuite(absl::Span<const SuiteEntry> suite);

// The summary in sentences; empty for fewer than two duets. Lists end with "and 7 more" after ten
// lines; a family with more than three members in a list has one line there.
//
//   12 duets: 2 slower, 1 faster, 8 equal, 1 open; geometric mean 1.01 ×
//     slower: BM_Sort/8: 1.073 × (1.06 to 1.085 ×)
//   apart from the 2 slower ones, nothing got slower by more than 1.2 % (99 % for all 10 together)
std::vector<SummaryLine> SummaryLines(const SuiteSummary& summary);

// `summary` as the lines of a console, with "duetbench: " and indentation, broken where they are
// wider than `columns`. A command stays on one line.
std::vector<std::string> ConsoleLines(const std::vector<SummaryLine>& summary,
                                      size_t columns = SIZE_MAX);

// The summary as an object of JSON ("duet_suite" in tools/report.schema.json); lists are complete.
std::string SummaryJson(const SuiteSummary& summary);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_SUMMARY_H_
