#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/explain/why_lines.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ranking_format.h"
#include "duetbench/report/shown_suite_json.h"
#include "duetbench/suite_report/suite_formats.h"
#include "duetbench/suite_report/suite_lines.h"
#include "duetbench/text/ratio_format.h"

namespace duetbench {
namespace {

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
    for (const QuantileGateResult& gate : comparison.quantile_gates) {
      if (gate.spec.quantile != ratio.quantile) continue;
      quantile.gate = MarkOf(gate.outcome);
      quantile.gate_name = GateOutcomeName(gate.outcome);
      quantile.gate_limit = absl::StrFormat("limit %.6g ×", gate.spec.max_ratio);
      quantile.allowed_hi = gate.spec.max_ratio;
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
  for (const std::string& line : WhyLines(comparison.explanation)) {
    notes->push_back(Printable(line));
  }
  if (comparison.ranking.has_value()) {
    notes->push_back(Printable(RankingSentence(*comparison.ranking)));
  }
  for (const Notice& notice : comparison.notices) notes->push_back(Printable(NoticeText(notice)));
}

CallNode PrintableCalls(CallNode calls) {
  calls.function = Printable(calls.function);
  for (CallNode& call : calls.calls) call = PrintableCalls(std::move(call));
  return calls;
}

page::ShownBenchmark BenchmarkOf(const SuiteEntry& entry, GateStatus status,
                                 const CpuPairChoice& cpus) {
  page::ShownBenchmark shown = ShownFacts(FactsOf(entry));
  const Comparison& comparison = entry.comparison;
  shown.gate = MarkOf(status);
  shown.gate_name = GateStatusName(status);
  shown.repeat = Printable(entry.repeat);
  if (!entry.file.empty()) shown.source = absl::StrCat(Printable(entry.file), ":", entry.line);
  AddNotes(comparison, &shown.notes);
  shown.listing = comparison.explanation.listing;
  shown.calls = PrintableCalls(comparison.explanation.calls);
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return shown;
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

page::GateMark MarkOf(GateOutcome outcome) {
  if (outcome == GateOutcome::kPass) return page::GateMark::kPass;
  return outcome == GateOutcome::kFail ? page::GateMark::kFail : page::GateMark::kUndecided;
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
