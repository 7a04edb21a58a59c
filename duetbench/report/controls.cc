#include "duetbench/report/controls.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/ratio_format.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

bool IsQuiet(const stats::RatioInterval& interval) { return interval.lo <= 1 && interval.hi >= 1; }
bool IsFound(const stats::RatioInterval& interval) { return interval.lo > 1; }

// Failures by name: is it one benchmark again and again?
void NameThoseThatAreNot(bool (*good)(const stats::RatioInterval&),
                         const std::vector<SuiteEntry>& entries, std::vector<std::string>* lines) {
  for (const SuiteEntry& entry : entries) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr || good(estimate->interval)) continue;
    lines->push_back(absl::StrCat("  ", entry.name, ": ", RangeText(estimate->interval)));
  }
}

}  // namespace

ControlCounts CountControls(const Controls& controls) {
  ControlCounts counts;
  double level = 0.99;
  for (const SuiteEntry& entry : controls.same) {
    if (ErrorOf(entry) != nullptr) ++counts.errors;
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    level = estimate->interval.level;
    ++counts.same;
    if (IsQuiet(estimate->interval)) ++counts.quiet;
  }
  for (const SuiteEntry& entry : controls.slower) {
    if (ErrorOf(entry) != nullptr) ++counts.errors;
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    ++counts.slower;
    if (IsFound(estimate->interval)) ++counts.found;
  }
  counts.allowed_alarms = stats::FalseAlarmLimit(counts.same, level);
  return counts;
}

std::vector<std::string> ControlLines(const Controls& controls) {
  if (controls.same.empty() && controls.slower.empty()) return {};
  const ControlCounts counts = CountControls(controls);
  std::vector<std::string> lines;
  lines.push_back(absl::StrFormat(
      "duetbench: controls: %d of %d A/A quiet, %d of %d %+.0f %% found", counts.quiet, counts.same,
      counts.found, counts.slower, 100 * kControlSlowDown));
  NameThoseThatAreNot(IsQuiet, controls.same, &lines);
  NameThoseThatAreNot(IsFound, controls.slower, &lines);
  if (counts.errors > 0) {
    lines.push_back(absl::StrCat("duetbench: warning: ", counts.errors,
                                 counts.errors == 1 ? " control" : " controls",
                                 " could not be measured"));
  }
  if (counts.same - counts.quiet > counts.allowed_alarms) {
    lines.emplace_back(
        "duetbench: warning: identical code differs too often: do not believe differences that are "
        "measured here now; stop what else is running");
  }
  if (counts.found < counts.slower) {
    lines.push_back(
        absl::StrFormat("duetbench: warning: a slow-down of %.0f %% was missed in %d of %d cases: "
                        "what is not shown to be slower may be slower by that; measure longer "
                        "(--benchmark_min_time)",
                        100 * kControlSlowDown, counts.slower - counts.found, counts.slower));
  }
  return lines;
}

namespace {

bool ExcludesOne(const stats::RatioInterval& interval) {
  return interval.lo > 1 || interval.hi < 1;
}

const stats::Effect* SideBiasOf(const Estimate& estimate) {
  const auto& diagnosis = estimate.diagnosis;
  return diagnosis.has_value() && diagnosis->side_bias.has_value() ? &*diagnosis->side_bias
                                                                   : nullptr;
}

// As a difference of times, 0.006 for 0.6 %.
double Difference(const stats::Effect& bias) { return std::expm1(std::abs(bias.log_ratio) / 2); }

}  // namespace

SelfComparisons SummarizeSelfComparisons(absl::Span<const SuiteEntry> suite) {
  SelfComparisons result;
  std::vector<double> half_widths;
  std::vector<double> biases;
  double log_ratios = 0;
  double level = 0.99;
  for (const SuiteEntry& entry : suite) {
    if (ErrorOf(entry) != nullptr) ++result.errors;
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    ++result.comparisons;
    level = estimate->interval.level;
    if (ExcludesOne(estimate->interval)) ++result.false_alarms;
    if (estimate->verdict == stats::Verdict::kSlower ||
        estimate->verdict == stats::Verdict::kFaster) {
      ++result.false_verdicts;
    }
    half_widths.push_back((estimate->interval.hi - estimate->interval.lo) / 2);
    log_ratios += std::log(estimate->interval.ratio);
    const stats::Effect* const bias = SideBiasOf(*estimate);
    if (bias == nullptr) continue;
    biases.push_back(Difference(*bias));
    if (bias->significant) ++result.side_biases;
  }
  result.allowed = stats::FalseAlarmLimit(result.comparisons, level);
  if (!half_widths.empty()) result.median_half_width = stats::Median(half_widths);
  if (!biases.empty()) {
    result.largest_side_bias = *std::max_element(biases.begin(), biases.end());
    result.median_side_bias = stats::Median(biases);
  }
  if (result.comparisons > 0) result.role_bias = log_ratios / result.comparisons;
  return result;
}

std::vector<std::string> SelfComparisonLines(absl::Span<const SuiteEntry> suite,
                                             const CpuPairChoice& cpus) {
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat("duetbench: A/A: each variant against a copy of itself, on ",
                               DescribeCpuPair(cpus)));
  size_t width = 0;
  double level = 0.99;
  for (const SuiteEntry& entry : suite) width = std::max(width, entry.name.size());
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) {
      const Failure* const error = ErrorOf(entry);
      lines.push_back(absl::StrFormat("%-*s  %s", width, entry.name,
                                      error == nullptr
                                          ? "not measured"
                                          : absl::StrCat("ERROR: ", Printable(ErrorText(*error)))));
      continue;
    }
    level = estimate->interval.level;
    std::string line =
        absl::StrFormat("%-*s  %9s  %20s  %s", width, entry.name, RatioText(estimate->interval),
                        IntervalText(estimate->interval),
                        ExcludesOne(estimate->interval)
                            ? absl::StrCat("FALSE ALARM, ", stats::VerdictName(estimate->verdict))
                            : "includes 1");
    if (const stats::Effect* const bias = SideBiasOf(*estimate)) {
      absl::StrAppendFormat(
          &line, "; %s differ by %.2g %%",
          estimate->schedule == Schedule::kInterleaved ? "first and second place" : "the two CPUs",
          100 * Difference(*bias));
    }
    lines.push_back(line);
  }
  const SelfComparisons all = SummarizeSelfComparisons(suite);
  lines.push_back(absl::StrFormat(
      "duetbench: A/A: %d of %d intervals at %g %% exclude 1 (up to %d by chance), %d of them are "
      "called SLOWER or FASTER; median half-width %.2g %%",
      all.false_alarms, all.comparisons, 100 * level, all.allowed, all.false_verdicts,
      100 * all.median_half_width));
  lines.push_back(absl::StrFormat(
      "duetbench: A/A: side bias %.2g %% (median), %.2g %% (largest), beyond chance in %d of %d; "
      "swapping takes it out: the mean ratio is off by %+.2g %%",
      100 * all.median_side_bias, 100 * all.largest_side_bias, all.side_biases, all.comparisons,
      100 * std::expm1(all.role_bias)));
  if (all.false_alarms > all.allowed) {
    lines.push_back(
        "duetbench: A/A: too many false alarms: do not believe this machine's intervals now; "
        "measure longer (--benchmark_min_time), or where less else is running");
  }
  return lines;
}

}  // namespace duetbench
