#include "duetbench/report/suite_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ranking_format.h"
#include "duetbench/stats/number_text.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {
namespace {

// Events that were counted for both variants, and what the variants report.
std::vector<Facts::Counter> CountersOf(const Estimate& estimate) {
  std::map<std::string, Facts::Counter> rows;
  for (const CounterComparison& counter : estimate.counters.counters) {
    if (!counter.counted) continue;
    Facts::Counter& row = rows[counter.name];
    row.old_value = NumberText(counter.per_iteration[0]);
    row.new_value = NumberText(counter.per_iteration[1]);
    if (!counter.ratio.has_value()) continue;
    row.ratio =
        counter.interval.has_value() && std::isfinite(counter.interval->hi)
            ? absl::StrCat(RatioText(*counter.interval), " ", IntervalText(*counter.interval))
            : absl::StrFormat("%.4g x", *counter.ratio);
  }
  const auto text_of = [](Facts::Counter& row, int variant) -> std::string& {
    return variant == 0 ? row.old_value : row.new_value;
  };
  for (int v = 0; v < 2; ++v) {
    for (const DerivedComparison& derived : estimate.counters.derived) {
      Facts::Counter& row = rows[derived.name];
      if (derived.value[v].has_value()) text_of(row, v) = NumberText(*derived.value[v]);
    }
    for (const CounterValue& counter : estimate.variants[v].counters) {
      std::string& text = text_of(rows[counter.name], v);
      if (text.empty()) text = NumberText(counter.value);
    }
  }
  std::vector<Facts::Counter> shown;
  for (auto& [name, row] : rows) {
    row.name = Printable(name);
    shown.push_back(std::move(row));
  }
  return shown;
}

std::vector<Facts::Quantile> QuantilesOf(const Estimate& estimate) {
  std::vector<Facts::Quantile> shown;
  for (const stats::QuantileRatio& ratio : estimate.quantiles) {
    Facts::Quantile& quantile = shown.emplace_back();
    quantile.quantile = ratio.quantile;
    quantile.name = QuantileName(ratio.quantile);
    quantile.interval = ratio.interval;
    if (ratio.interval.has_value()) {
      for (int v = 0; v < 2; ++v) quantile.time_ns[v] = ratio.time[v];
    } else {
      quantile.gap = TooFewText(ratio);
    }
    for (const GateResult& gate : estimate.gates) {
      if (gate.spec.metric.quantile != ratio.quantile) continue;
      quantile.gate = gate.outcome;
      quantile.gate_limit = GateSpecText(gate.spec);
      quantile.allowed_hi = gate.spec.hi();
    }
  }
  std::sort(shown.begin(), shown.end(), [](const Facts::Quantile& a, const Facts::Quantile& b) {
    return a.quantile < b.quantile;
  });
  return shown;
}

// With the correction if that changed the status of a gate.
std::string MessageOf(const SuiteEntry& entry, GateStatus status, const CpuPairChoice& cpus) {
  const Comparison& comparison = entry.comparison;
  const Failure* const failure = comparison.failure();
  const std::string error = failure != nullptr ? ErrorText(*failure) : "";
  if (IsUnchanged(entry)) {
    return absl::StrCat(status == GateStatus::kPass ? "PASS " : "", entry.name, ": ", error);
  }
  switch (status) {
    case GateStatus::kError:
      return absl::StrCat("ERROR ", entry.name, ": ", error);
    case GateStatus::kNotMeasured:
      return absl::StrCat("SKIPPED ", entry.name, ": its gate was not measured: ", error);
    case GateStatus::kUnproven:
      return absl::StrCat(AllGatesMessage(entry.name, comparison, cpus),
                          " Alone it would have failed; in a suite of gates this may be chance.");
    case GateStatus::kPass:
    case GateStatus::kFail:
    case GateStatus::kInconclusive:
      return AllGatesMessage(entry.name, comparison, cpus);
    case GateStatus::kNoGate:
      break;
  }
  return "";
}

void AddEstimate(const Comparison& comparison, Facts* facts) {
  const Estimate& estimate = *comparison.estimate();
  facts->interval = estimate.interval;
  facts->verdict = estimate.verdict;
  facts->sentence = Printable(VerdictSentence(estimate.interval, estimate.verdict, estimate.margin,
                                              SentenceNames(comparison)));
  facts->meaning = Printable(VerdictSentence(comparison));
  for (const GateResult& gate : estimate.gates) {
    if (gate.spec.metric.is_time()) {
      facts->meaning = Printable(GateMeaning(comparison, gate));
      facts->allowed_lo = gate.spec.lo();
      facts->allowed_hi = gate.spec.hi();
      facts->gate_limit = GateSpecText(gate.spec);
    } else {
      facts->other_gates.push_back(Printable(GateSentence(comparison, gate)));
    }
  }
  facts->effort = Printable(EffortText(estimate));
  facts->numbers = NumbersOf(comparison);
  for (int v = 0; v < 2; ++v) facts->time_ns[v] = estimate.time_ns[v];
  facts->cpu_time = estimate.cpu_time;
  facts->one_at_a_time = !RunsConcurrently(estimate.schedule);
  // A run of little weight is to be seen at what it measured.
  const bool has_runs = !estimate.total_decides && !estimate.typical_log_ratios.empty();
  facts->run_log_ratios = has_runs ? estimate.typical_log_ratios : estimate.run_log_ratios;
  facts->quantiles = QuantilesOf(estimate);
  facts->counters = CountersOf(estimate);
  for (const std::string& line : ExplanationLines(estimate)) {
    facts->diagnosis.push_back(Printable(line));
  }
}

Facts FactsOf(const SuiteEntry& entry, GateStatus status, const CpuPairChoice& cpus) {
  const Comparison& comparison = entry.comparison;
  Facts facts;
  facts.name = Printable(entry.name);
  facts.file = Printable(entry.file);
  facts.line = entry.line;
  facts.repeat = entry.repeat;
  facts.wall_s = comparison.wall_s;
  facts.gate = status;
  facts.message = Printable(MessageOf(entry, status, cpus));
  facts.unchanged = IsUnchanged(entry);
  if (comparison.estimate() != nullptr) {
    AddEstimate(comparison, &facts);
  } else {
    const Failure* const failure = comparison.failure();
    facts.error = failure != nullptr ? Printable(ErrorText(*failure)) : "not measured: a dry run";
  }
  if (entry.digest != nullptr) facts.digest = *entry.digest;
  facts.why = comparison.explanation.lines;
  facts.listing = comparison.explanation.listing;
  facts.explanation = comparison.explanation.json;
  if (comparison.ranking.has_value()) {
    facts.ranking = Printable(RankingSentence(*comparison.ranking));
  }
  for (const Notice& notice : comparison.notices) {
    facts.notices.push_back(Printable(NoticeText(notice)));
  }
  return facts;
}

// "2 of 31 gates failed", "30 of 31 gates hold, 1 is inconclusive", "1 gate holds"; empty without
// gates.
std::string Headline(const SuiteCounts& counts) {
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

}  // namespace

SuiteFacts FactsOf(absl::Span<const SuiteEntry> suite, const SuiteSummary& summary,
                   const std::string& program, const std::vector<std::string>& header,
                   const CpuPairChoice& cpus) {
  SuiteFacts facts;
  facts.program = Printable(program);
  const SuiteCounts counts = CountGates(suite);
  facts.headline = Headline(counts);
  facts.undecided_gates = counts.undecided;
  for (const std::string& line : header) {
    facts.header.push_back(Printable(std::string(absl::StripPrefix(line, "duetbench: "))));
  }
  facts.cpus = DescribeCpuPair(cpus);
  const std::vector<GateStatus> statuses = GateStatuses(suite);
  for (size_t i = 0; i < suite.size(); ++i) {
    facts.duets.push_back(FactsOf(suite[i], statuses[i], cpus));
  }
  for (const SummaryLine& line : SummaryLines(summary)) {
    facts.summary.push_back({Printable(line.text), line.is_detail, line.is_command});
  }
  return facts;
}

}  // namespace duetbench
