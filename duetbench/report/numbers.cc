#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_facts.h"

namespace duetbench {
namespace {

double OutcomeNumber(GateStatus outcome) {
  if (outcome == GateStatus::kPass) return 1;
  return outcome == GateStatus::kFail ? -1 : 0;
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
  const Estimate& estimate = *comparison.estimate();
  for (const GateResult& gate : estimate.gates) {
    const bool of_time = gate.spec.metric.is_time();
    const std::string suffix = of_time ? "" : absl::StrCat(".", MetricName(gate.spec.metric));
    list->Add("gate" + suffix, OutcomeNumber(gate.outcome));
    list->Add("gate_p" + suffix, gate.p);
    if (!of_time) continue;
    if (gate.spec.lo() > 0) list->Add("gate_lo", gate.spec.lo());
    list->Add("gate_hi", gate.spec.hi());
    list->Add("gate_looks", estimate.analyses);
    list->Add("gate_seconds", comparison.wall_s);
  }
}

void AddEvents(const std::vector<CounterComparison>& summary, NumberList* list) {
  for (const CounterComparison& counter : summary) {
    if (!counter.counted) continue;
    const std::string name = absl::StrCat("perf.", counter.name);
    list->Add(name + ".old", counter.per_iteration[0]);
    list->Add(name + ".new", counter.per_iteration[1]);
    if (counter.interval.has_value()) list->Add(name + ".ratio", *counter.interval);
    list->Add(name + ".ratio", counter.ratio);
  }
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
  if (estimate->cpus_per_variant == kAllCpus) list.Add("all_cpus", 1);
  if (estimate->cpus_per_variant > 1) list.Add("cpus_per_variant", estimate->cpus_per_variant);
  list.Add("schedule", static_cast<double>(estimate->schedule));
  if (estimate->schedule == Schedule::kDuet) list.Add("skew_ns", estimate->skew_ns);
  if (estimate->time.wall_ns > 0) {
    list.Add("wall_seconds", estimate->time.wall_ns * 1e-9);
    list.Add("kept_share", estimate->time.kept_ns / estimate->time.wall_ns);
  }
  if (estimate->slow_core_runs > 0) {
    list.Add("core_runs_left_out", static_cast<double>(estimate->slow_core_runs));
  }
  if (estimate->mutual_disturbance.has_value()) {
    list.Add("ratio_solo", estimate->mutual_disturbance->ratio_alone);
    list.Add("ratio_concurrent", estimate->mutual_disturbance->ratio_together);
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

}  // namespace duetbench
