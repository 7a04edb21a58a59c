#include "duetbench/report/self_comparison.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/pairs_io/ratio_words.h"
#include "duetbench/stats/false_alarms.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

bool ExcludesOne(const stats::RatioInterval& interval) {
  return interval.lo > 1 || interval.hi < 1;
}

double SideBias(const Comparison& comparison) {
  if (!comparison.diagnosis.has_value() || !comparison.diagnosis->side_bias.has_value()) return 0;
  return std::expm1(std::abs(comparison.diagnosis->side_bias->log_ratio) / 2);
}

}  // namespace

SelfComparisons SummarizeSelfComparisons(absl::Span<const SuiteEntry> suite) {
  SelfComparisons result;
  std::vector<double> half_widths;
  std::vector<double> biases;
  double log_ratios = 0;
  double level = 0.99;
  for (const SuiteEntry& entry : suite) {
    const Comparison& comparison = entry.comparison;
    if (!entry.error.empty()) ++result.errors;
    if (!entry.error.empty() || !comparison.has_estimate) continue;
    ++result.comparisons;
    level = comparison.interval.level;
    if (ExcludesOne(comparison.interval)) ++result.false_alarms;
    if (comparison.verdict == stats::Verdict::kSlower ||
        comparison.verdict == stats::Verdict::kFaster) {
      ++result.false_verdicts;
    }
    half_widths.push_back((comparison.interval.hi - comparison.interval.lo) / 2);
    log_ratios += std::log(comparison.interval.ratio);
    if (!comparison.diagnosis.has_value() || !comparison.diagnosis->side_bias.has_value()) continue;
    biases.push_back(SideBias(comparison));
    if (comparison.diagnosis->side_bias->significant) ++result.side_biases;
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
    const Comparison& comparison = entry.comparison;
    if (!entry.error.empty() || !comparison.has_estimate) {
      lines.push_back(absl::StrFormat(
          "%-*s  %s", width, entry.name,
          entry.error.empty() ? "not measured" : absl::StrCat("ERROR: ", entry.error)));
      continue;
    }
    level = comparison.interval.level;
    std::string line = absl::StrFormat(
        "%-*s  %9s  %20s  %s", width, entry.name, RatioText(comparison.interval),
        IntervalText(comparison.interval),
        ExcludesOne(comparison.interval)
            ? absl::StrCat("FALSE ALARM, ", std::string(stats::VerdictName(comparison.verdict)))
            : "includes 1");
    if (comparison.diagnosis.has_value() && comparison.diagnosis->side_bias.has_value()) {
      absl::StrAppendFormat(
          &line, "; %s differ by %.2g %%",
          comparison.schedule == Schedule::kInterleaved ? "first and second place" : "the two CPUs",
          100 * SideBias(comparison));
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
