#include "duetbench/report/comparison_counters.h"

#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "duetbench/report/counter_format.h"
#include "duetbench/report/quantile_format.h"

namespace duetbench {
namespace {

double OutcomeNumber(GateOutcome outcome) {
  if (outcome == GateOutcome::kPass) return 1;
  return outcome == GateOutcome::kFail ? -1 : 0;
}

}  // namespace

std::map<std::string, double> ComparisonCounters(const Comparison& comparison) {
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return {};
  std::map<std::string, double> counters = {
      {"ratio", estimate->interval.ratio},
      {"ratio_lo", estimate->interval.lo},
      {"ratio_hi", estimate->interval.hi},
      {"ratio_level", estimate->interval.level},
      {"runs", estimate->runs},
      {"pairs", static_cast<double>(estimate->pairs)},
      {"pairs_dropped", static_cast<double>(estimate->dropped)},
  };
  if (estimate->total.has_value()) {
    counters["ratio_total"] = estimate->total->interval.ratio;
    counters["ratio_total_lo"] = estimate->total->interval.lo;
    counters["ratio_total_hi"] = estimate->total->interval.hi;
    counters["ratio_typical"] = estimate->typical.ratio;
    counters["ratio_typical_lo"] = estimate->typical.lo;
    counters["ratio_typical_hi"] = estimate->typical.hi;
    counters["tails_p"] = estimate->total->p;
  }
  if (estimate->diagnosis.has_value()) {
    counters["pairing_gain"] = estimate->diagnosis->pairing_gain_all.value_or(NAN);
  }
  if (comparison.gate.has_value()) {
    const GateResult& gate = *comparison.gate;
    counters["gate"] = OutcomeNumber(gate.outcome);
    counters["gate_p"] = gate.p;
    if (gate.spec.lo() > 0) counters["gate_lo"] = gate.spec.lo();
    counters["gate_hi"] = gate.spec.hi();
    counters["gate_looks"] = gate.analyses;
    counters["gate_seconds"] = comparison.wall_s;
  }
  if (estimate->cpus_per_variant == kAllCpus) counters["all_cpus"] = 1;
  if (estimate->cpus_per_variant > 1) counters["cpus_per_variant"] = estimate->cpus_per_variant;
  counters["schedule"] = static_cast<double>(estimate->schedule);
  if (estimate->time.wall_ns > 0) {
    counters["wall_seconds"] = estimate->time.wall_ns * 1e-9;
    counters["kept_share"] = estimate->time.kept_ns / estimate->time.wall_ns;
  }
  if (estimate->core_state.has_value()) {
    const stats::CoreState& core = *estimate->core_state;
    counters["core_explained"] = core.explained;
    counters["core_slow_down"] = core.slow_down;
    counters["ratio_core_fastest"] = core.ratio_at_fastest;
    counters["ratio_core_slowest"] = core.ratio_at_slowest;
  }
  if (estimate->mutual_disturbance.has_value()) {
    const MutualDisturbance& disturbance = *estimate->mutual_disturbance;
    counters["ratio_alone"] = disturbance.ratio_alone;
    counters["ratio_together"] = disturbance.ratio_together;
    counters["slowdown_together_old"] = disturbance.slowdown[0];
    counters["slowdown_together_new"] = disturbance.slowdown[1];
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    counters[absl::StrCat("gate.", gate.spec.counter)] = OutcomeNumber(gate.outcome);
    counters[absl::StrCat("gate_p.", gate.spec.counter)] = gate.p;
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    const std::string name = QuantileName(gate.spec.quantile);
    counters[absl::StrCat("gate.", name)] = OutcomeNumber(gate.outcome);
    counters[absl::StrCat("gate_p.", name)] = gate.p;
  }
  for (const auto& [key, value] : QuantileKeys(*estimate)) counters[key] = value;
  if (estimate->schedule == Schedule::kDuet) counters["skew_ns"] = estimate->skew_p50_ns;
  for (const auto& [key, value] : LayoutKeys(*estimate)) counters[key] = value;
  for (const auto& [key, value] : CounterKeys(estimate->counters)) counters[key] = value;
  for (auto it = counters.begin(); it != counters.end();) {
    it = std::isfinite(it->second) ? std::next(it) : counters.erase(it);
  }
  return counters;
}

std::map<std::string, double> LayoutKeys(const Estimate& estimate) {
  if (!estimate.layouts.has_value()) return {};
  const stats::LayoutSpread& layouts = *estimate.layouts;
  std::map<std::string, double> keys = {{"layouts", layouts.layouts}};
  if (layouts.own_effect.has_value()) keys["layout_effect"] = std::expm1(*layouts.own_effect);
  if (layouts.layout_sd.has_value()) keys["layout_spread"] = *layouts.layout_sd;
  if (layouts.run_sd.has_value()) keys["run_spread"] = *layouts.run_sd;
  return keys;
}

}  // namespace duetbench
