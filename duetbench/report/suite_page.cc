#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/gate_format.h"
#include "duetbench/report/notice_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/quantile_format.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_lines.h"
#include "duetbench/stats/number_text.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {
namespace {

void AddCounters(const Measured& measured, std::vector<page::ShownCounter>* shown) {
  for (const CounterComparison& counter : measured.counters.counters) {
    if (!counter.counted) continue;
    std::string ratio =
        counter.interval.has_value()
            ? absl::StrCat(RatioText(*counter.interval), " ", IntervalText(*counter.interval))
        : counter.ratio.has_value() ? absl::StrFormat("%.4g x", *counter.ratio)
                                    : "";
    shown->push_back({Printable(counter.name) + " per iteration",
                      NumberText(counter.per_iteration[0]), NumberText(counter.per_iteration[1]),
                      std::move(ratio)});
  }
  for (const DerivedComparison& derived : measured.counters.derived) {
    const auto text = [&](int v) {
      return derived.value[v].has_value() ? NumberText(*derived.value[v]) : "";
    };
    shown->push_back({Printable(derived.name), text(0), text(1), ""});
  }
  // Those of the user, by name.
  std::map<std::string, page::ShownCounter> own;
  for (int v = 0; v < 2; ++v) {
    for (const CounterValue& counter : measured.variants[v].counters) {
      page::ShownCounter& row = own[counter.name];
      row.name = Printable(counter.name);
      (v == 0 ? row.old_value : row.new_value) = NumberText(counter.value);
    }
  }
  for (auto& [name, row] : own) shown->push_back(std::move(row));
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
  for (const Notice& notice : comparison.notices) notes->push_back(Printable(NoticeText(notice)));
}

page::ShownBenchmark BenchmarkOf(const SuiteEntry& entry, GateStatus status,
                                 const CpuPairChoice& cpus) {
  page::ShownBenchmark shown;
  const Comparison& comparison = entry.comparison;
  shown.name = Printable(entry.name);
  shown.gate = MarkOf(status);
  shown.gate_name = GateStatusName(status);
  shown.repeat = Printable(entry.repeat);
  if (!entry.file.empty()) shown.source = absl::StrCat(Printable(entry.file), ":", entry.line);
  AddNotes(comparison, &shown.notes);
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) {
    const Failure* const failure = comparison.failure();
    shown.error = failure != nullptr ? Printable(ErrorText(*failure)) : "not measured: a dry run";
    return shown;
  }
  shown.interval = estimate->interval;
  shown.verdict = estimate->verdict;
  shown.sentence = Printable(VerdictSentence(estimate->interval, estimate->verdict,
                                             estimate->margin, SentenceNames(comparison)));
  const std::string message = EntryMessage(entry, status, cpus);
  if (!message.empty()) shown.notes.insert(shown.notes.begin(), Printable(message));
  shown.effort = Printable(EffortText(*estimate));
  if (comparison.gate.has_value()) {
    shown.gate_limit = GateSpecText(comparison.gate->spec);
    shown.allowed_lo = comparison.gate->spec.lo();
    shown.allowed_hi = comparison.gate->spec.hi();
  }
  for (int v = 0; v < 2; ++v) shown.time_ns[v] = estimate->time_ns[v];
  shown.cpu_time = estimate->cpu_time;
  shown.one_at_a_time = !RunsConcurrently(estimate->schedule);
  // A run of little weight is to be seen at what it measured.
  const bool has_runs = !estimate->total_decides && !estimate->typical_log_ratios.empty();
  shown.run_log_ratios = has_runs ? estimate->typical_log_ratios : estimate->run_log_ratios;
  if (entry.digest != nullptr) shown.digest = *entry.digest;
  AddQuantiles(comparison, &shown.quantiles);
  AddCounters(*estimate, &shown.counters);
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

}  // namespace duetbench
