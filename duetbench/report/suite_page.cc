#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ranking_format.h"
#include "duetbench/report/shown_suite_json.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_lines.h"
#include "duetbench/stats/number_text.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {
namespace {

// Events that were counted for both variants, and what the variants report.
std::vector<page::ShownCounter> ShownCounters(const Estimate& estimate) {
  std::map<std::string, page::ShownCounter> rows;
  for (const CounterComparison& counter : estimate.counters.counters) {
    if (!counter.counted) continue;
    page::ShownCounter& row = rows[counter.name];
    row.old_value = NumberText(counter.per_iteration[0]);
    row.new_value = NumberText(counter.per_iteration[1]);
    if (!counter.ratio.has_value()) continue;
    row.ratio =
        counter.interval.has_value() && std::isfinite(counter.interval->hi)
            ? absl::StrCat(RatioText(*counter.interval), " ", IntervalText(*counter.interval))
            : absl::StrFormat("%.4g x", *counter.ratio);
  }
  const auto text_of = [](page::ShownCounter& row, int variant) -> std::string& {
    return variant == 0 ? row.old_value : row.new_value;
  };
  for (int v = 0; v < 2; ++v) {
    for (const DerivedComparison& derived : estimate.counters.derived) {
      page::ShownCounter& row = rows[derived.name];
      if (derived.value[v].has_value()) text_of(row, v) = NumberText(*derived.value[v]);
    }
    for (const CounterValue& counter : estimate.variants[v].counters) {
      std::string& text = text_of(rows[counter.name], v);
      if (text.empty()) text = NumberText(counter.value);
    }
  }
  std::vector<page::ShownCounter> shown;
  for (auto& [name, row] : rows) {
    row.name = Printable(name);
    shown.push_back(std::move(row));
  }
  return shown;
}

void AddQuantiles(const Comparison& comparison, std::vector<page::ShownQuantile>* shown) {
  for (const stats::QuantileRatio& ratio : comparison.estimate()->quantiles) {
    page::ShownQuantile quantile;
    quantile.quantile = ratio.quantile;
    quantile.name = QuantileName(ratio.quantile);
    quantile.interval = ratio.interval;
    if (ratio.interval.has_value()) {
      for (int v = 0; v < 2; ++v) quantile.time_ns[v] = ratio.time[v];
    } else {
      quantile.gap = TooFewText(ratio);
    }
    for (const GateResult& gate : comparison.estimate()->gates) {
      if (gate.spec.metric.quantile != ratio.quantile) continue;
      quantile.gate = MarkOf(gate.outcome);
      quantile.gate_name = GateStatusName(gate.outcome);
      quantile.gate_limit = GateSpecText(gate.spec);
      quantile.allowed_hi = gate.spec.hi();
    }
    shown->push_back(std::move(quantile));
  }
  std::sort(shown->begin(), shown->end(),
            [](const page::ShownQuantile& a, const page::ShownQuantile& b) {
              return a.quantile < b.quantile;
            });
}

void AddNotes(const Comparison& comparison, std::vector<std::string>* notes) {
  if (const Estimate* const estimate = comparison.estimate()) {
    for (const std::string& line : ExplanationLines(*estimate)) notes->push_back(Printable(line));
  }
  const std::vector<std::string>& why = comparison.explanation.lines;
  notes->insert(notes->end(), why.begin(), why.end());
  if (comparison.ranking.has_value()) {
    notes->push_back(Printable(RankingSentence(*comparison.ranking)));
  }
  for (const Notice& notice : comparison.notices) notes->push_back(Printable(NoticeText(notice)));
}

page::ShownBenchmark BenchmarkOf(const SuiteEntry& entry, GateStatus status,
                                 const CpuPairChoice& cpus) {
  page::ShownBenchmark shown;
  shown.name = Printable(entry.name);
  const Comparison& comparison = entry.comparison;
  shown.gate = MarkOf(status);
  shown.gate_name = GateStatusName(status);
  shown.repeat = Printable(entry.repeat);
  if (!entry.file.empty()) shown.source = absl::StrCat(Printable(entry.file), ":", entry.line);
  AddNotes(comparison, &shown.notes);
  shown.listing = comparison.explanation.listing;
  shown.explanation = comparison.explanation.json;
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) {
    const Failure* const failure = comparison.failure();
    shown.error = failure != nullptr ? Printable(ErrorText(*failure)) : "not measured: a dry run";
    return shown;
  }
  shown.interval = estimate->interval;
  shown.verdict = estimate->verdict;
  for (int v = 0; v < 2; ++v) shown.time_ns[v] = estimate->time_ns[v];
  if (const GateResult* const gate = estimate->time_gate()) {
    shown.allowed_lo = gate->spec.lo();
    shown.allowed_hi = gate->spec.hi();
    shown.gate_limit = GateSpecText(gate->spec);
  }
  shown.counters = ShownCounters(*estimate);
  shown.sentence = Printable(VerdictSentence(estimate->interval, estimate->verdict,
                                             estimate->margin, SentenceNames(comparison)));
  const std::string message = EntryMessage(entry, status, cpus);
  if (!message.empty()) shown.notes.insert(shown.notes.begin(), Printable(message));
  shown.effort = Printable(EffortText(*estimate));
  shown.cpu_time = estimate->cpu_time;
  shown.one_at_a_time = !RunsConcurrently(estimate->schedule);
  // A run of little weight is to be seen at what it measured.
  const bool has_runs = !estimate->total_decides && !estimate->typical_log_ratios.empty();
  shown.run_log_ratios = has_runs ? estimate->typical_log_ratios : estimate->run_log_ratios;
  if (entry.digest != nullptr) shown.digest = *entry.digest;
  AddQuantiles(comparison, &shown.quantiles);
  return shown;
}

}  // namespace

page::GateMark MarkOf(GateStatus status) {
  if (status == GateStatus::kError) return page::GateMark::kError;
  if (status == GateStatus::kPass) return page::GateMark::kPass;
  if (status == GateStatus::kFail) return page::GateMark::kFail;
  return IsUndecided(status) ? page::GateMark::kUndecided : page::GateMark::kNone;
}

page::ShownSuite SuitePage(absl::Span<const SuiteEntry> suite,
                           absl::Span<const GateStatus> statuses, const SuiteSummary& summary,
                           const std::string& program, const std::vector<std::string>& header,
                           const CpuPairChoice& cpus) {
  page::ShownSuite shown;
  for (const SummaryLine& line : SummaryLines(summary)) {
    shown.summary.push_back({Printable(line.text), line.is_detail, line.is_command});
  }
  shown.title = Printable(program);
  shown.headline = SuiteHeadline(CountGates(suite));
  for (const std::string& line : header) {
    constexpr char kPrefix[] = "duetbench: ";
    const size_t begin = line.rfind(kPrefix, 0) == 0 ? sizeof kPrefix - 1 : 0;
    shown.header.push_back(Printable(line.substr(begin)));
  }
  for (size_t i = 0; i < suite.size(); ++i) {
    shown.benchmarks.push_back(BenchmarkOf(suite[i], statuses[i], cpus));
  }
  return shown;
}

std::string PageRecording(const page::ShownSuite& suite) {
  std::string recording;
  nlohmann::json::to_cbor(suite, recording);
  return recording;
}

}  // namespace duetbench
