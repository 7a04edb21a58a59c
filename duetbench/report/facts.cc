#include "duetbench/report/facts.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/text/number_text.h"
#include "duetbench/text/ratio_format.h"

namespace duetbench {
namespace {

double OutcomeNumber(GateOutcome outcome) {
  if (outcome == GateOutcome::kPass) return 1;
  return outcome == GateOutcome::kFail ? -1 : 0;
}

// Collects numbers.
class NumberList {
 public:
  void Add(const std::string& name, double value) {
    if (std::isfinite(value)) numbers_[name] = value;
  }
  void Add(const std::string& name, const std::optional<double>& value) {
    if (value.has_value()) Add(name, *value);
  }
  void Add(const std::string& name, const stats::RatioInterval& interval) {
    Add(name, interval.ratio);
    Add(name + "_lo", interval.lo);
    Add(name + "_hi", interval.hi);
  }
  Numbers End() { return std::move(numbers_); }

 private:
  Numbers numbers_;
};

void AddGates(const Comparison& comparison, NumberList* list) {
  const auto add = [&](const std::string& suffix, GateOutcome outcome, double p) {
    list->Add("gate" + suffix, OutcomeNumber(outcome));
    list->Add("gate_p" + suffix, p);
  };
  if (comparison.gate.has_value()) {
    const GateResult& gate = *comparison.gate;
    add("", gate.outcome, gate.p);
    if (gate.spec.lo() > 0) list->Add("gate_lo", gate.spec.lo());
    if (std::isfinite(gate.spec.hi())) list->Add("gate_hi", gate.spec.hi());
    list->Add("gate_looks", gate.analyses);
    list->Add("gate_seconds", comparison.wall_s);
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    add(absl::StrCat(".", gate.spec.counter), gate.outcome, gate.p);
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    add(absl::StrCat(".", QuantileName(gate.spec.quantile)), gate.outcome, gate.p);
  }
}

void AddEvents(const CounterSummary& summary, NumberList* list) {
  for (const CounterComparison& counter : summary.counters) {
    if (!counter.counted) continue;
    const std::string name = absl::StrCat("perf.", counter.name);
    list->Add(name + ".old", counter.per_iteration[0]);
    list->Add(name + ".new", counter.per_iteration[1]);
    if (counter.interval.has_value()) list->Add(name + ".ratio", *counter.interval);
    list->Add(name + ".ratio", counter.ratio);
  }
  for (const DerivedComparison& derived : summary.derived) {
    list->Add(absl::StrCat("perf.", derived.name, ".old"), derived.value[0]);
    list->Add(absl::StrCat("perf.", derived.name, ".new"), derived.value[1]);
  }
}

double NumberOr(const Numbers& numbers, const std::string& name, double otherwise) {
  const auto it = numbers.find(name);
  return it == numbers.end() ? otherwise : it->second;
}

}  // namespace

Numbers NumbersOf(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return {};
  NumberList list;
  list.Add("ratio", estimate->interval);
  list.Add("ratio_level", estimate->interval.level);
  list.Add("runs", estimate->runs);
  list.Add("pairs", static_cast<double>(estimate->pairs));
  list.Add("pairs_dropped", static_cast<double>(estimate->dropped));
  if (estimate->total.has_value()) {
    list.Add("ratio_total", estimate->total->interval);
    list.Add("ratio_typical", estimate->typical);
    list.Add("tails_p", estimate->total->p);
  }
  if (estimate->diagnosis.has_value()) {
    list.Add("pairing_gain", estimate->diagnosis->pairing_gain_all);
  }
  if (estimate->cpus_per_variant == kAllCpus) list.Add("all_cpus", 1);
  if (estimate->cpus_per_variant > 1) list.Add("cpus_per_variant", estimate->cpus_per_variant);
  list.Add("schedule", static_cast<double>(estimate->schedule));
  if (estimate->schedule == Schedule::kDuet) list.Add("skew_ns", estimate->skew_p50_ns);
  if (estimate->time.wall_ns > 0) {
    list.Add("wall_seconds", estimate->time.wall_ns * 1e-9);
    list.Add("kept_share", estimate->time.kept_ns / estimate->time.wall_ns);
  }
  if (estimate->slow_core_runs > 0) {
    list.Add("core_runs_left_out", static_cast<double>(estimate->slow_core_runs));
  }
  if (estimate->mutual_disturbance.has_value()) {
    const MutualDisturbance& disturbance = *estimate->mutual_disturbance;
    list.Add("ratio_solo", disturbance.ratio_alone);
    list.Add("ratio_concurrent", disturbance.ratio_together);
    list.Add("slowdown_concurrent_old", disturbance.slowdown[0]);
    list.Add("slowdown_concurrent_new", disturbance.slowdown[1]);
  }
  for (const stats::QuantileRatio& each : estimate->quantiles) {
    list.Add("calls", static_cast<double>(each.calls));
    if (each.interval.has_value())
      list.Add(absl::StrCat("ratio_", QuantileName(each.quantile)), *each.interval);
  }
  if (!estimate->far_off.empty()) {
    list.Add("far_off", static_cast<double>(estimate->far_off.size()));
  }
  if (estimate->by_address.has_value()) {
    list.Add("ratio_by_address_lo", estimate->by_address->lo);
    list.Add("ratio_by_address_hi", estimate->by_address->hi);
  }
  AddEvents(estimate->counters, &list);
  AddGates(comparison, &list);
  return list.End();
}

std::optional<stats::RatioInterval> IntervalIn(const Numbers& numbers, const std::string& name) {
  stats::RatioInterval interval{};
  interval.ratio = NumberOr(numbers, name, 0);
  interval.lo = NumberOr(numbers, name + "_lo", 0);
  interval.hi = NumberOr(numbers, name + "_hi", std::numeric_limits<double>::infinity());
  interval.level = NumberOr(numbers, "ratio_level", 0);
  const bool is_valid = interval.ratio > 0 && interval.lo >= 0 && interval.hi >= interval.lo &&
                        interval.level > 0 && interval.level < 1;
  return is_valid ? std::make_optional(interval) : std::nullopt;
}

DuetFacts FactsOf(const SuiteEntry& entry) {
  DuetFacts facts;
  facts.name = entry.name;
  facts.numbers = NumbersOf(entry.comparison);
  if (const Failure* const failure = entry.comparison.failure()) facts.error = ErrorText(*failure);
  if (entry.comparison.dry_run() != nullptr) facts.error = "not measured: a dry run";
  const Measured* const measured = entry.comparison.measured();
  if (measured == nullptr) return facts;
  for (int v = 0; v < 2; ++v) {
    facts.time_ns[v] = measured->time_ns[v];
    for (const CounterValue& counter : measured->variants[v].counters) {
      facts.counters[v][counter.name] = counter.value;
    }
  }
  if (const Estimate* const estimate = entry.comparison.estimate()) {
    facts.verdict = estimate->verdict;
  }
  return facts;
}

namespace {

// Events that were counted for both variants, and what the variants report.
std::vector<page::ShownCounter> ShownCounters(const DuetFacts& facts) {
  std::map<std::string, page::ShownCounter> rows;
  for (const auto& [key, value] : facts.numbers) {
    constexpr absl::string_view kPrefix = "perf.";
    const size_t dot = key.rfind('.');
    if (!absl::StartsWith(key, kPrefix) || dot < kPrefix.size()) continue;
    page::ShownCounter& row = rows[key.substr(kPrefix.size(), dot - kPrefix.size())];
    if (absl::EndsWith(key, ".old")) row.old_value = NumberText(value);
    if (absl::EndsWith(key, ".new")) row.new_value = NumberText(value);
    if (!absl::EndsWith(key, ".ratio")) continue;
    const std::optional<stats::RatioInterval> interval = IntervalIn(facts.numbers, key);
    row.ratio = interval.has_value() && std::isfinite(interval->hi)
                    ? absl::StrCat(RatioText(*interval), " ", IntervalText(*interval))
                    : absl::StrFormat("%.4g x", value);
  }
  for (int v = 0; v < 2; ++v) {
    for (const auto& [name, value] : facts.counters[v]) {
      page::ShownCounter& row = rows[name];
      std::string& text = v == 0 ? row.old_value : row.new_value;
      if (text.empty()) text = NumberText(value);
    }
  }
  std::vector<page::ShownCounter> shown;
  for (auto& [name, row] : rows) {
    row.name = Printable(name);
    shown.push_back(std::move(row));
  }
  return shown;
}

}  // namespace

page::ShownBenchmark ShownFacts(const DuetFacts& facts) {
  page::ShownBenchmark shown;
  shown.name = Printable(facts.name);
  shown.error = Printable(facts.error);
  if (!shown.error.empty()) return shown;
  shown.interval = IntervalIn(facts.numbers, "ratio").value_or(stats::RatioInterval{});
  shown.verdict = facts.verdict;
  for (int v = 0; v < 2; ++v) shown.time_ns[v] = facts.time_ns[v];
  shown.allowed_lo = NumberOr(facts.numbers, "gate_lo", 0);
  shown.allowed_hi = NumberOr(facts.numbers, "gate_hi", 0);
  if (shown.allowed_hi > 0) shown.gate_limit = GateLimitText(shown.allowed_lo, shown.allowed_hi);
  shown.counters = ShownCounters(facts);
  return shown;
}

}  // namespace duetbench
