#include "duetbench/report/suite.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/gate_words.h"
#include "duetbench/stats/multiplicity.h"

namespace duetbench {
namespace {

constexpr int kHold = 0;
constexpr int kGateFailed = 1;
constexpr int kSuiteError = 2;
constexpr int kSkipped = 77;  // what ctest and automake take as "skipped"

Standing StandingAlone(const SuiteEntry& entry) {
  if (!entry.error.empty()) return Standing::kError;
  if (!entry.comparison.gate.has_value()) return Standing::kNoGate;
  switch (entry.comparison.gate->outcome) {
    case stats::GateOutcome::kPass:
      return Standing::kPass;
    case stats::GateOutcome::kFail:
      return Standing::kFail;
    case stats::GateOutcome::kInconclusive:
      break;
  }
  return Standing::kInconclusive;
}

}  // namespace

const char* StandingName(Standing standing) {
  switch (standing) {
    case Standing::kPass:
      return "PASS";
    case Standing::kFail:
      return "FAIL";
    case Standing::kUnproven:
      return "UNPROVEN";
    case Standing::kInconclusive:
      return "INCONCLUSIVE";
    case Standing::kError:
      return "ERROR";
    case Standing::kNoGate:
      break;
  }
  return "-";
}

std::vector<Standing> SettleSuite(absl::Span<const SuiteEntry> suite) {
  std::vector<Standing> standings;
  std::vector<size_t> gates;
  double least_alpha = 1;
  for (size_t i = 0; i < suite.size(); ++i) {
    standings.push_back(StandingAlone(suite[i]));
    if (standings[i] == Standing::kNoGate || standings[i] == Standing::kError) continue;
    gates.push_back(i);
    least_alpha = std::min(least_alpha, 1 - suite[i].comparison.interval.level);
  }
  std::vector<double> p;
  for (const size_t i : gates) {
    const Comparison& comparison = suite[i].comparison;
    p.push_back(
        std::clamp(comparison.gate->p * least_alpha / (1 - comparison.interval.level), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::AdjustPValues(p, stats::Adjustment::kHolm);
  for (size_t k = 0; k < gates.size(); ++k) {
    Standing& standing = standings[gates[k]];
    const bool proven = adjusted[k] <= least_alpha * (1 + 1e-9);  // alone it is, whatever rounding
    if (standing == Standing::kFail && !proven) standing = Standing::kUnproven;
  }
  return standings;
}

SuiteCounts CountStandings(absl::Span<const Standing> standings) {
  SuiteCounts counts;
  for (const Standing standing : standings) {
    switch (standing) {
      case Standing::kPass:
        ++counts.passed;
        break;
      case Standing::kFail:
        ++counts.failed;
        break;
      case Standing::kUnproven:
        ++counts.unproven;
        break;
      case Standing::kInconclusive:
        ++counts.inconclusive;
        break;
      case Standing::kError:
        ++counts.errors;
        break;
      case Standing::kNoGate:
        break;
    }
  }
  counts.gates = counts.passed + counts.failed + counts.unproven + counts.inconclusive;
  return counts;
}

int SuiteStatus(const SuiteCounts& counts, int errors, WhenInconclusive when) {
  const int undecided = counts.inconclusive + counts.unproven;
  if (errors + counts.errors > 0) return kSuiteError;
  if (counts.failed > 0) return kGateFailed;
  if (undecided == 0 || when == WhenInconclusive::kPass) return kHold;
  return when == WhenInconclusive::kFail ? kGateFailed : kSkipped;
}

std::string SuiteHeadline(const SuiteCounts& counts) {
  if (counts.gates == 0) return "";
  const int undecided = counts.inconclusive + counts.unproven;
  std::vector<std::string> parts;
  if (counts.gates == 1) {
    parts.push_back(counts.failed > 0 ? "1 gate failed"
                    : undecided > 0   ? "1 gate is inconclusive"
                                      : "1 gate holds");
  } else if (counts.failed > 0) {
    parts.push_back(absl::StrCat(counts.failed, " of ", counts.gates, " gates failed"));
  } else if (undecided == 0) {
    parts.push_back(absl::StrCat("all ", counts.gates, " gates hold"));
  } else {
    parts.push_back(absl::StrCat(counts.passed, " of ", counts.gates,
                                 counts.passed == 1 ? " gates holds" : " gates hold"));
  }
  if (undecided > 0 && counts.gates > 1) {
    parts.push_back(absl::StrCat(undecided, undecided == 1 ? " is" : " are", " inconclusive"));
  }
  if (counts.errors > 0) {
    parts.push_back(absl::StrCat(counts.errors, counts.errors == 1 ? " duet" : " duets",
                                 " could not be measured"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string EntryMessage(const SuiteEntry& entry, Standing standing, const CpuPairChoice& cpus) {
  switch (standing) {
    case Standing::kError:
      return absl::StrCat("ERROR ", entry.name, ": ", entry.error);
    case Standing::kUnproven:
      return absl::StrCat(GateMessage(entry.name, entry.comparison, cpus),
                          " Alone it would have failed; among so many gates this may be chance.");
    case Standing::kPass:
    case Standing::kFail:
    case Standing::kInconclusive:
      return GateMessage(entry.name, entry.comparison, cpus);
    case Standing::kNoGate:
      break;
  }
  return "";
}

std::vector<std::string> ClosingLines(absl::Span<const SuiteEntry> suite,
                                      absl::Span<const Standing> standings, WhenInconclusive when,
                                      const CpuPairChoice& cpus) {
  std::vector<std::string> lines;
  const SuiteCounts counts = CountStandings(standings);
  if (counts.gates == 0) return lines;
  lines.push_back(absl::StrCat("duetbench: ", SuiteHeadline(counts)));
  for (size_t i = 0; i < suite.size(); ++i) {
    if (standings[i] == Standing::kNoGate || standings[i] == Standing::kPass) continue;
    lines.push_back(EntryMessage(suite[i], standings[i], cpus));
    if (!suite[i].repeat.empty()) lines.push_back(absl::StrCat("  alone: ", suite[i].repeat));
  }
  if (counts.inconclusive + counts.unproven > 0) {
    constexpr const char* kMeanings[] = {
        "duetbench: warning: what is inconclusive counts as kept (--duet_inconclusive=pass)",
        "duetbench: what is inconclusive counts as failed (--duet_inconclusive=fail)",
        "duetbench: what is inconclusive counts as skipped (--duet_inconclusive=skip)"};
    lines.emplace_back(kMeanings[static_cast<size_t>(when)]);
  }
  return lines;
}

}  // namespace duetbench
