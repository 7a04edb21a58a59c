#include "duetbench/report/suite_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/gate_format.h"
#include "duetbench/report/measuring_time.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/repeat_command.h"

namespace duetbench {
namespace {

// As actions/toolkit does it (command.ts: escapeData, escapeProperty).
std::string EscapedData(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapedProperty(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}, {":", "%3A"}, {",", "%2C"}});
}

std::string PathInRepository(absl::string_view path, const std::string& workspace) {
  if (!workspace.empty() && absl::ConsumePrefix(&path, workspace)) {
    while (absl::ConsumePrefix(&path, "/")) {
    }
  }
  while (absl::ConsumePrefix(&path, "../") || absl::ConsumePrefix(&path, "./")) {
  }
  return std::string(path);
}

}  // namespace

std::string SuiteHeadline(const SuiteCounts& counts) {
  if (counts.gates == 0) return "";
  std::vector<std::string> parts;
  if (counts.gates == 1) {
    parts.push_back(counts.failed > 0      ? "1 gate failed"
                    : counts.undecided > 0 ? "1 gate is inconclusive"
                                           : "1 gate holds");
  } else if (counts.failed > 0) {
    parts.push_back(absl::StrCat(counts.failed, " of ", counts.gates, " gates failed"));
  } else if (counts.undecided == 0) {
    parts.push_back(absl::StrCat("all ", counts.gates, " gates hold"));
  } else {
    parts.push_back(absl::StrCat(counts.passed, " of ", counts.gates,
                                 counts.passed == 1 ? " gates holds" : " gates hold"));
  }
  if (counts.undecided > 0 && counts.gates > 1) {
    parts.push_back(
        absl::StrCat(counts.undecided, counts.undecided == 1 ? " is" : " are", " inconclusive"));
  }
  if (counts.errors > 0) {
    parts.push_back(absl::StrCat(counts.errors, counts.errors == 1 ? " duet" : " duets",
                                 " could not be measured"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string EntryMessage(const SuiteEntry& entry, GateStatus status, const CpuPairChoice& cpus) {
  switch (status) {
    case GateStatus::kError:
      return absl::StrCat("ERROR ", entry.name, ": ", Printable(ErrorText(*ErrorOf(entry))));
    case GateStatus::kNotMeasured:
      return absl::StrCat("SKIPPED ", entry.name, ": its gate was not measured: ",
                          Printable(ErrorText(*entry.comparison.failure())));
    case GateStatus::kUnproven:
      return absl::StrCat(AllGatesMessage(entry.name, entry.comparison, cpus),
                          " Alone it would have failed; in a suite of gates this may be chance.");
    case GateStatus::kPass:
    case GateStatus::kFail:
    case GateStatus::kInconclusive:
      return AllGatesMessage(entry.name, entry.comparison, cpus);
    case GateStatus::kNoGate:
      break;
  }
  return "";
}

std::vector<std::string> ClosingLines(absl::Span<const SuiteEntry> suite,
                                      absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                      const CpuPairChoice& cpus) {
  std::vector<std::string> lines;
  const SuiteCounts counts = CountGates(suite);
  if (counts.gates == 0) return lines;
  lines.push_back(absl::StrCat("duetbench: ", SuiteHeadline(counts)));
  for (size_t i = 0; i < suite.size(); ++i) {
    if (!NeedsAttention(statuses[i])) continue;
    lines.push_back(EntryMessage(suite[i], statuses[i], cpus));
    if (!suite[i].repeat.empty()) lines.push_back(absl::StrCat("  alone: ", suite[i].repeat));
  }
  if (counts.undecided > 0) {
    constexpr const char* kMeanings[] = {
        "duetbench: warning: inconclusive gates count as passed (--duet_inconclusive=pass)",
        "duetbench: inconclusive gates count as failed (--duet_inconclusive=fail)",
        "duetbench: inconclusive gates count as skipped (--duet_inconclusive=skip)"};
    lines.emplace_back(kMeanings[static_cast<size_t>(when)]);
  }
  return lines;
}

std::vector<std::string> Annotations(absl::Span<const SuiteEntry> suite,
                                     absl::Span<const GateStatus> statuses, WhenInconclusive when,
                                     const CpuPairChoice& cpus, const std::string& workspace) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < suite.size(); ++i) {
    const GateStatus status = statuses[i];
    if (!NeedsAttention(status)) continue;
    const SuiteEntry& entry = suite[i];
    std::string line =
        IsUndecided(status) && when != WhenInconclusive::kFail ? "::warning " : "::error ";
    if (!entry.file.empty()) {
      absl::StrAppend(&line, "file=", EscapedProperty(PathInRepository(entry.file, workspace)),
                      ",line=", entry.line, ",");
    }
    absl::StrAppend(
        &line, "title=", EscapedProperty(absl::StrCat(GateStatusName(status), " ", entry.name)),
        "::", EscapedData(EntryMessage(entry, status, cpus)));
    if (!entry.repeat.empty()) {
      absl::StrAppend(&line, EscapedData(absl::StrCat("\nalone: ", entry.repeat)));
    }
    lines.push_back(line);
  }
  return lines;
}

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

// Benchmarks that a filter names; with more it would be too long to read.
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
  if (flag.empty()) {
    return "duetbench: some INCONCLUSIVE benchmarks would take more than a day to decide";
  }
  std::string filter;
  if (names.size() < suite.size() && names.size() <= kMaxNamedBenchmarks) {
    const bool is_one = names.size() == 1;
    filter = ShellQuoted(absl::StrCat("--benchmark_filter=^", is_one ? "" : "(",
                                      absl::StrJoin(names, "|"), is_one ? "" : ")", "$"));
    filter += " ";
  }
  return absl::StrCat("duetbench: to decide the INCONCLUSIVE benchmarks, measure with ", filter,
                      flag);
}

}  // namespace

std::vector<std::string> SuiteSummaryLines(absl::Span<const SuiteEntry> suite) {
  RatioMean all;
  std::vector<std::string> order;
  std::map<std::string, Family> families;
  std::map<stats::Verdict, int> verdicts;
  int duets = 0;
  int gates = 0;
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    ++duets;
    entry.comparison.gate.has_value() ? ++gates : ++verdicts[estimate->verdict];
    // Removed work has no ratio.
    if (estimate->is_withheld() || !(estimate->interval.ratio > 0)) continue;
    all.Add(estimate->interval.ratio);
    const auto [family, is_new] = families.try_emplace(entry.family);
    if (is_new) order.push_back(entry.family);
    family->second.names = SentenceNames(entry.comparison);
    family->second.ratios.Add(estimate->interval.ratio);
  }
  if (duets < 2) return {};
  std::vector<std::string> counts;
  for (const auto& [verdict, count] : verdicts) {
    counts.push_back(absl::StrCat(count, " ", stats::VerdictName(verdict)));
  }
  // The verdicts and the gates add up to the duets.
  if (gates > 0) counts.push_back(absl::StrCat(gates, gates == 1 ? " gate" : " gates"));
  std::string line = absl::StrCat("duetbench: ", duets, " duets: ", absl::StrJoin(counts, ", "));
  if (all.count > 1) {
    absl::StrAppend(&line, "; geometric mean ",
                    all.count < duets ? absl::StrCat("of the ", all.count, " with a ratio ") : "",
                    Times(all.geometric()));
  }
  std::vector<std::string> lines = {line};
  for (const std::string& name : order) {
    const Family& family = families[name];
    if (family.ratios.count > 1) lines.push_back(FamilyLine(name, family));
  }
  const std::string longer = LongerLine(suite);
  if (!longer.empty()) lines.push_back(longer);
  return lines;
}

}  // namespace duetbench
