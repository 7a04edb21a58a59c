#include "duetbench/report/suite_summary.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/interval.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// The false discovery rate above which a listed change may be chance.
constexpr double kMaxFalseDiscoveries = 0.05;
// Lines of a list in a report that people read.
constexpr size_t kMaxLines = 10;
// Members of a family that have a line each.
constexpr size_t kMaxMembers = 3;

bool IsChange(stats::Verdict verdict) {
  return verdict == stats::Verdict::kSlower || verdict == stats::Verdict::kFaster;
}

// The p-value of the hypothesis that both variants take the same time.
double PValueOf(const SuiteEntry& entry) {
  const Comparison& comparison = entry.comparison;
  const double p = stats::TailPValue(std::log(comparison.interval.ratio), comparison.log_error,
                                     comparison.degrees_of_freedom, 1, 1, comparison.share);
  // Where they disagree, by a least half-width or an open total, the interval counts.
  const double alpha = 1 - comparison.interval.level;
  return IsChange(comparison.verdict) ? std::min(p, alpha) : p;
}

// Removed work has none, and where it is withheld it is not known.
bool HasKnownRatio(const Comparison& comparison) {
  return comparison.has_ratio() && !comparison.is_withheld() && comparison.interval.ratio > 0;
}

// The upper end of the interval at 1 - alpha * share, one-sided.
double UpperEnd(const SuiteEntry& entry, double share) {
  const Comparison& comparison = entry.comparison;
  const double alpha = (1 - comparison.interval.level) * comparison.share;
  double half = std::log(comparison.interval.hi / comparison.interval.ratio);
  if (comparison.degrees_of_freedom > 0 && std::isfinite(half)) {
    half *= stats::TwoSidedT(2 * alpha * share, comparison.degrees_of_freedom) /
            stats::TwoSidedT(alpha, comparison.degrees_of_freedom);
  }
  return std::max(comparison.interval.ratio * std::exp(half), comparison.open_total.value_or(0));
}

// The bound of all duets but the slower ones, and `open`.
std::optional<SlowDownBound> BoundWithout(const std::vector<const SuiteEntry*>& open,
                                          absl::Span<const SuiteEntry> suite) {
  SlowDownBound bound;
  bound.level = 1;
  std::vector<const SuiteEntry*> others;
  for (const SuiteEntry& entry : suite) {
    const Comparison& comparison = entry.comparison;
    if (!HasKnownRatio(comparison)) continue;
    bound.level = std::min(bound.level, comparison.interval.level);
    if (std::find(open.begin(), open.end(), &entry) != open.end()) {
      ++bound.open;
    } else if (comparison.verdict == stats::Verdict::kSlower) {
      ++bound.besides;
    } else {
      others.push_back(&entry);
    }
  }
  const double apart = bound.besides + bound.open;
  const double share = 1 / ((apart + 1) * (apart + 2));
  for (const SuiteEntry* const entry : others) {
    bound.ratio = std::max(bound.ratio, UpperEnd(*entry, share));
  }
  bound.duets = static_cast<int>(others.size());
  if (others.empty() || !std::isfinite(bound.ratio)) return std::nullopt;
  return bound;
}

// The open ones have an interval each: they are set apart where they would at least double the
// bound of the others.
std::optional<SlowDownBound> BoundOf(const SuiteSummary& summary,
                                     absl::Span<const SuiteEntry> suite) {
  const auto of_all = BoundWithout({}, suite);
  const auto of_decided = BoundWithout(summary.open_duets, suite);
  if (!of_decided.has_value()) return of_all;
  const bool doubles = !of_all.has_value() || of_all->ratio - 1 > 2 * (of_decided->ratio - 1);
  return doubles && of_decided->duets > 1 ? of_decided : of_all;
}

void CountDuet(const SuiteEntry& entry, GateStatus status, SuiteSummary* summary) {
  const Comparison& comparison = entry.comparison;
  if (comparison.is_dry_run) return;
  ++summary->duets;
  if (comparison.failure.unchanged) {
    ++summary->unchanged;
  } else if (!comparison.has_ratio()) {
    ++summary->not_measured;
  } else if (comparison.verdict == stats::Verdict::kEqual) {
    ++summary->equal;
  } else if (IsChange(comparison.verdict)) {
    (comparison.verdict == stats::Verdict::kSlower ? summary->slower_duets : summary->faster_duets)
        .push_back(&entry);
  } else if (status == GateStatus::kPass || status == GateStatus::kFail) {
    ++summary->gates;
  } else {
    summary->open_duets.push_back(&entry);
  }
}

std::string Times(double ratio) { return absl::StrFormat("%.3g ×", ratio); }

void AddFamilies(absl::Span<const SuiteEntry> suite, SuiteSummary* summary) {
  std::vector<FamilyRatios>& families = summary->families;
  std::map<std::string, size_t> places;
  for (const SuiteEntry& entry : suite) {
    const Comparison& comparison = entry.comparison;
    if (!HasKnownRatio(comparison)) continue;
    summary->ratios.Add(comparison.interval.ratio);
    if (entry.family.empty()) continue;
    const auto [place, is_new] = places.try_emplace(entry.family, families.size());
    if (is_new) families.emplace_back().name = entry.family;
    FamilyRatios& family = families[place->second];
    family.names = SentenceNames(comparison);
    family.Add(comparison.interval.ratio);
  }
  families.erase(std::remove_if(families.begin(), families.end(),
                                [](const FamilyRatios& family) { return family.count < 2; }),
                 families.end());
}

// The key of a list: its least values come first.
template <class Key>
void SortBy(const Key& key, std::vector<const SuiteEntry*>* entries) {
  std::stable_sort(entries->begin(), entries->end(),
                   [&](const SuiteEntry* a, const SuiteEntry* b) { return key(*a) < key(*b); });
}

double LargestChangeFirst(const SuiteEntry& entry) {
  return -std::abs(std::log(entry.comparison.interval.ratio));
}

// Marks what may be chance among all the tests of the suite.
void AddFalseDiscoveries(absl::Span<const SuiteEntry> suite, SuiteSummary* summary) {
  std::vector<double> p;
  std::vector<const SuiteEntry*> entries;
  for (const SuiteEntry& entry : suite) {
    const Comparison& comparison = entry.comparison;
    if (!HasKnownRatio(comparison) || !(comparison.degrees_of_freedom > 0)) continue;
    p.push_back(PValueOf(entry));
    entries.push_back(&entry);
  }
  const std::vector<double> adjusted = stats::BenjaminiHochbergAdjusted(p);
  double largest = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!IsChange(entries[i]->comparison.verdict)) continue;
    largest = std::max(largest, p[i]);
    if (adjusted[i] <= kMaxFalseDiscoveries) continue;
    summary->may_be_chance.insert(entries[i]);
  }
  summary->expected_false =
      std::min(static_cast<double>(summary->slower_duets.size() + summary->faster_duets.size()),
               largest * static_cast<double>(entries.size()));
}

std::string CountsLine(const SuiteSummary& summary) {
  std::string line =
      absl::StrFormat("%d duets: %d slower, %d faster, %d equal, %d open", summary.duets,
                      summary.slower_duets.size(), summary.faster_duets.size(), summary.equal,
                      summary.open_duets.size());
  if (summary.gates > 0) {
    absl::StrAppend(&line, ", ", summary.gates, " measured only until a gate was decided");
  }
  if (summary.unchanged > 0) absl::StrAppend(&line, ", ", summary.unchanged, " UNCHANGED");
  if (summary.not_measured > 0) absl::StrAppend(&line, ", ", summary.not_measured, " not measured");
  if (summary.ratios.count < 2) return line;
  const std::string of = summary.ratios.count < summary.duets
                             ? absl::StrCat("of the ", summary.ratios.count, " ratios ")
                             : "";
  return absl::StrCat(line, "; geometric mean ", of, Times(summary.ratios.geometric_mean()));
}

std::string OpenText(const SuiteEntry& entry) {
  const Comparison& comparison = entry.comparison;
  const std::string withheld = WithheldText(comparison, comparison.why_undecided());
  if (!withheld.empty()) return absl::StrCat(entry.facts.name, ": ", withheld);
  return absl::StrCat(entry.facts.name, ": ", RangeText(comparison.interval),
                      AndDecisionTime(comparison));
}

// One line for each duet, or for a family of many; each where its largest change is.
std::vector<std::string> ChangeTexts(const std::vector<const SuiteEntry*>& duets,
                                     const SuiteSummary& summary) {
  std::map<std::string, std::vector<const SuiteEntry*>> families;
  for (const SuiteEntry* const duet : duets) families[duet->family].push_back(duet);
  std::vector<std::string> texts;
  for (const SuiteEntry* const duet : duets) {
    const std::vector<const SuiteEntry*>& members = families[duet->family];
    const stats::RatioInterval& interval = duet->comparison.interval;
    if (members.size() <= kMaxMembers) {
      texts.push_back(absl::StrCat(duet->facts.name, ": ", TimesText(interval), " (",
                                   RangeText(interval), ")",
                                   summary.may_be_chance.count(duet) > 0 ? ", may be chance" : ""));
    } else if (members.front() == duet) {
      const double last = members.back()->comparison.interval.ratio;
      texts.push_back(absl::StrFormat("%s: %d benchmarks, %.3g to %.3g ×", duet->family,
                                      members.size(), std::min(interval.ratio, last),
                                      std::max(interval.ratio, last)));
    }
  }
  return texts;
}

std::string FamilyText(const FamilyRatios& family) {
  const std::string range =
      absl::StrFormat("%d benchmarks, %.3g to %.3g ×", family.count, family.least, family.largest);
  const std::string title = family.title();
  const bool is_sentence = title.find(' ') != std::string::npos;
  return is_sentence ? absl::StrCat(title, " (geometric mean of ", range, ")")
                     : absl::StrCat(title, ": ", range, ", geometric mean ",
                                    Times(family.geometric_mean()));
}

void AddDetails(const std::string& prefix, const std::vector<std::string>& texts,
                std::vector<SummaryLine>* lines) {
  // One more line in place of "and 1 more".
  const size_t shown = texts.size() <= kMaxLines + 1 ? texts.size() : kMaxLines;
  for (size_t i = 0; i < shown; ++i) lines->push_back({absl::StrCat(prefix, texts[i]), true});
  if (shown < texts.size()) {
    lines->push_back({absl::StrCat(prefix, "and ", texts.size() - shown, " more"), true});
  }
}

std::string BoundLine(const SlowDownBound& bound) {
  std::vector<std::string> apart;
  for (const auto& [count, kind] : {std::pair(bound.besides, "slower"), {bound.open, "open"}}) {
    if (count == 1) apart.push_back(absl::StrCat("the ", kind, " one"));
    if (count > 1) apart.push_back(absl::StrCat("the ", count, " ", kind, " ones"));
  }
  std::string line = apart.empty() ? "nothing got slower"
                                   : absl::StrCat("apart from ", absl::StrJoin(apart, " and "),
                                                  ", nothing got slower");
  if (bound.ratio > 1) absl::StrAppend(&line, " by more than ", PercentAtMost(bound.ratio - 1));
  return absl::StrCat(line, absl::StrFormat(" (%g %% for ", 100 * bound.level),
                      bound.duets == 1 ? "the other ratio)"
                                       : absl::StrCat("all ", bound.duets, " ratios together)"));
}

}  // namespace

void FamilyRatios::Add(double ratio) {
  least = std::min(least, ratio);
  largest = std::max(largest, ratio);
  log_sum += std::log(ratio);
  ++count;
}

std::string FamilyRatios::title() const {
  if (name != absl::StrCat(names.old_name, "_vs_", names.new_name)) return name;
  return absl::StrCat(names.new_name, " takes ", Times(geometric_mean()), " the time of ",
                      names.old_name);
}

SuiteSummary SummarizeSuite(absl::Span<const SuiteEntry> suite) {
  SuiteSummary summary;
  std::vector<const Comparison*> duets;
  for (const SuiteEntry& entry : suite) duets.push_back(&entry.comparison);
  summary.outcomes = JudgeSuite(duets);
  for (size_t i = 0; i < suite.size(); ++i) {
    CountDuet(suite[i], summary.outcomes[i].front(), &summary);
  }
  SortBy(LargestChangeFirst, &summary.slower_duets);
  SortBy(LargestChangeFirst, &summary.faster_duets);
  SortBy(
      [](const SuiteEntry& entry) { return SecondsToDecide(entry.comparison).value_or(INFINITY); },
      &summary.open_duets);
  AddFamilies(suite, &summary);
  AddFalseDiscoveries(suite, &summary);
  summary.bound = BoundOf(summary, suite);
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.ranking.has_value()) summary.rankings.push_back(&entry);
  }
  return summary;
}

std::vector<SummaryLine> SummaryLines(const SuiteSummary& summary) {
  std::vector<SummaryLine> lines;
  if (summary.duets < 2) return lines;
  lines.push_back({CountsLine(summary)});
  AddDetails("slower: ", ChangeTexts(summary.slower_duets, summary), &lines);
  AddDetails("faster: ", ChangeTexts(summary.faster_duets, summary), &lines);
  std::vector<std::string> open;
  for (const SuiteEntry* const duet : summary.open_duets) open.push_back(OpenText(*duet));
  AddDetails("open: ", open, &lines);
  std::vector<std::string> families;
  for (const FamilyRatios& family : summary.families) families.push_back(FamilyText(family));
  AddDetails("", families, &lines);
  if (summary.bound.has_value()) lines.push_back({BoundLine(*summary.bound)});
  if (!summary.slower_duets.empty() || !summary.faster_duets.empty()) {
    lines.push_back(
        {absl::StrFormat("at most %.2g of the slower and faster ones are expected to be false",
                         std::max(0.01, summary.expected_false))});
  }
  if (!summary.repeat.empty()) {
    lines.push_back(
        {summary.open_duets.size() == 1
             ? "to measure the open one again:"
             : absl::StrCat("to measure the ", summary.open_duets.size(), " open ones again:")});
    lines.push_back({summary.repeat, true, true});
  }
  return lines;
}

std::vector<std::string> ConsoleLines(const std::vector<SummaryLine>& summary, size_t columns) {
  std::vector<std::string> lines;
  for (const SummaryLine& line : summary) {
    lines.push_back(Wrapped(absl::StrCat(line.is_detail ? "  " : "duetbench: ", line.text),
                            line.is_command ? SIZE_MAX : columns, "    "));
  }
  return lines;
}

}  // namespace duetbench
