#include "duetbench/report/suite_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/decision_time.h"
#include "duetbench/report/repeat_command.h"

namespace duetbench {
namespace {

// Ratios of several duets.
struct RatioMean {
  int count = 0;
  double log_sum = 0;
  double min = 0;
  double max = 0;

  void Add(double ratio) {
    min = count == 0 ? ratio : std::min(min, ratio);
    max = count == 0 ? ratio : std::max(max, ratio);
    log_sum += std::log(ratio);
    ++count;
  }
  double geometric() const { return std::exp(log_sum / count); }
};

struct Family {
  VariantNames names;
  RatioMean ratios;
};

std::string Times(double ratio) { return absl::StrFormat("%.3g ×", ratio); }

std::string FamilyLine(const std::string& name, const Family& family) {
  const VariantNames& names = family.names;
  const bool is_named = name == absl::StrCat(names.old_name, "_vs_", names.new_name);
  return absl::StrCat("  ", is_named ? "" : absl::StrCat(name, ": "), names.new_name, " takes ",
                      Times(family.ratios.geometric()), " the time of ", names.old_name,
                      " (geometric mean of ", family.ratios.count, ", from ",
                      absl::StrFormat("%.3g", family.ratios.min), " to ", Times(family.ratios.max),
                      ")");
}

// No longer filter than of so many benchmarks.
constexpr size_t kMaxNamedBenchmarks = 3;

// The flags that measure the undecided again, for the longest of the times that would decide them;
// empty if there are none.
std::string LongerLine(absl::Span<const SuiteEntry> suite) {
  double longest = 0;
  std::string flag;
  std::vector<std::string> names;
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.gate.has_value()) continue;
    const std::optional<double> seconds = SecondsToDecide(entry.comparison);
    if (!seconds.has_value()) continue;
    names.push_back(EscapedForFilter(entry.name));
    if (*seconds < longest) continue;
    longest = *seconds;
    flag = DecisionFlag(entry.comparison);
  }
  if (longest == 0) return "";
  if (flag.empty()) return "duetbench: not everything INCONCLUSIVE can be decided within a day";
  std::string filter;
  if (names.size() < suite.size() && names.size() <= kMaxNamedBenchmarks) {
    const bool is_one = names.size() == 1;
    filter = ShellQuoted(absl::StrCat("--benchmark_filter=^", is_one ? "" : "(",
                                      absl::StrJoin(names, "|"), is_one ? "" : ")", "$"));
    filter += " ";
  }
  return absl::StrCat("duetbench: measured longer, what is INCONCLUSIVE would be decided: ", filter,
                      flag);
}

}  // namespace

std::vector<std::string> SuiteSummaryLines(absl::Span<const SuiteEntry> suite) {
  RatioMean all;
  std::vector<std::string> order;
  std::map<std::string, Family> families;
  std::map<stats::Verdict, int> verdicts;
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    if (!entry.comparison.gate.has_value()) ++verdicts[estimate->verdict];
    // Of removed work there is no ratio.
    if (estimate->is_withheld() || !(estimate->interval.ratio > 0)) continue;
    all.Add(estimate->interval.ratio);
    const auto [family, is_new] = families.try_emplace(entry.family);
    if (is_new) order.push_back(entry.family);
    family->second.names = SentenceNames(entry.comparison);
    family->second.ratios.Add(estimate->interval.ratio);
  }
  if (all.count < 2) return {};
  std::vector<std::string> counts;
  for (const auto& [verdict, count] : verdicts) {
    counts.push_back(absl::StrCat(count, " ", stats::VerdictName(verdict)));
  }
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat("duetbench: ", all.count, " duets", counts.empty() ? "" : ": ",
                               absl::StrJoin(counts, ", "), "; geometric mean ",
                               Times(all.geometric())));
  for (const std::string& name : order) {
    const Family& family = families[name];
    if (family.ratios.count > 1) lines.push_back(FamilyLine(name, family));
  }
  const std::string longer = LongerLine(suite);
  if (!longer.empty()) lines.push_back(longer);
  return lines;
}

}  // namespace duetbench
