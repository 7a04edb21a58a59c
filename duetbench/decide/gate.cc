#include "duetbench/decide/gate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "duetbench/decide/counter_summary.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/interval.h"
#include "duetbench/platform/event.h"

namespace duetbench {
namespace {

// One value for each run, the mean of which is at most 0 if the requirement is met.
std::vector<double> Excesses(const std::vector<RunRate>& runs, double max_ratio) {
  // Quotients of equal counts may differ by rounding.
  constexpr double kRounding = 1e-12;
  std::vector<double> values = LogRatiosOf(runs);
  if (!values.empty()) {
    for (double& value : values) value -= std::log(max_ratio);
  } else {
    double largest = 0;
    for (const RunRate& run : runs) {
      values.push_back(run.Of(1) - max_ratio * run.Of(0));
      largest = std::max(largest, std::abs(values.back()));
    }
    for (double& value : values) value = largest > 0 ? value / largest : 0;
  }
  for (double& value : values) {
    if (std::abs(value) < kRounding) value = 0;
  }
  return values;
}

void JudgeCounter(absl::Span<const RunResult> results, const std::vector<Event>& events,
                  double share, GateResult* gate) {
  const std::vector<RunRate> runs = RatesOf(results, gate->spec.metric.counter, events);
  gate->runs = static_cast<int>(runs.size());
  for (const RunRate& run : runs) {
    for (int variant = 0; variant < 2; ++variant)
      gate->mean[variant] += run.Of(variant) / gate->runs;
  }
  if (gate->runs < 2) return;
  const auto interval = stats::TInterval(LogRatiosOf(runs), gate->level, share);
  if (interval.ok()) gate->interval = *interval;
  // A ratio of e^excess at most 1 is what is required.
  const std::vector<double> excesses = Excesses(runs, gate->spec.hi());
  const auto excess = stats::TInterval(excesses, gate->level, share);
  if (!excess.ok()) return;
  gate->outcome = Judge(GateSpec::MaxRatio(1), *excess);
  stats::SetPValue(stats::AnalysisPValue(excesses, 0, 1, share), gate);
}

void JudgeQuantile(const SelectedPairs& selected, const stats::Decision& decision,
                   GateResult* gate) {
  if (!selected.has_single_calls()) {
    gate->ends_measuring = true;  // samples of several calls stay as they are
    return;
  }
  gate->calls = stats::ComputeQuantileRatio(IndependentCalls(selected), gate->spec.metric.quantile,
                                            (1 - gate->level) * decision.share, gate->level);
  gate->runs = gate->calls->runs;
  gate->interval = gate->calls->interval;
  if (decision.is_withheld()) gate->why = decision.why_withheld();
  if (decision.is_withheld() || !gate->interval.has_value()) return;
  gate->outcome = Judge(gate->spec, *gate->interval);
  const double p = stats::QuantilePValue(gate->calls->bundle_log_ratios, std::log(gate->spec.hi()));
  stats::SetPValue(p / decision.share, gate);
}

std::vector<GateStatus> OutcomesWithoutResult(const Comparison& duet) {
  if (duet.is_error()) return {GateStatus::kError};
  if (!duet.has_failed() || !duet.has_gate) return {};
  return {duet.failure.unchanged ? GateStatus::kPass : GateStatus::kNotMeasured};
}

}  // namespace

bool NeedsEvent(const Metric& metric) {
  const std::string& name = metric.counter;
  return !name.empty() && !IsAlwaysCounted(name) && !IsAmount(name);
}

std::vector<GateResult> JudgeGates(const ExperimentOptions& options,
                                   absl::Span<const RunResult> results,
                                   const SelectedPairs& selected, const stats::Decision& decision) {
  std::vector<GateResult> gates;
  for (const GateSpec& spec : options.gates) {
    if (spec.metric.is_time()) {
      gates.push_back(JudgeGate(spec, decision));
      continue;
    }
    GateResult& gate = gates.emplace_back();
    gate.spec = spec;
    gate.level = decision.interval.level;
    if (spec.metric.is_quantile()) {
      JudgeQuantile(selected, decision, &gate);
    } else {
      JudgeCounter(results, options.events, decision.share, &gate);
    }
  }
  return gates;
}

bool IsUndecided(GateStatus status) {
  return status == GateStatus::kUnproven || status == GateStatus::kInconclusive ||
         status == GateStatus::kNotMeasured;
}

bool NeedsAttention(GateStatus status) {
  return status != GateStatus::kNoGate && status != GateStatus::kPass;
}

std::vector<std::vector<GateStatus>> JudgeSuite(absl::Span<const Comparison* const> duets) {
  std::vector<const GateResult*> gates;
  for (const Comparison* const duet : duets) {
    for (const GateResult& gate : duet->gates) gates.push_back(&gate);
  }
  double min_alpha = 1;
  for (const GateResult* const gate : gates) min_alpha = std::min(min_alpha, 1 - gate->level);
  std::vector<double> p;
  for (const GateResult* const gate : gates) {
    p.push_back(std::clamp(gate->p * min_alpha / (1 - gate->level), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  std::vector<std::vector<GateStatus>> all;
  size_t k = 0;
  for (const Comparison* const duet : duets) {
    std::vector<GateStatus>& outcomes = all.emplace_back(OutcomesWithoutResult(*duet));
    for (const size_t end = k + duet->gates.size(); k < end; ++k) {
      const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
      const GateStatus alone = gates[k]->outcome;
      outcomes.push_back(alone == GateStatus::kFail && !proven ? GateStatus::kUnproven : alone);
    }
    if (outcomes.empty()) outcomes.push_back(GateStatus::kNoGate);
    std::sort(outcomes.begin(), outcomes.end());
  }
  return all;
}

ExitStatus SuiteExitStatus(GateStatus worst, int errors, WhenInconclusive when) {
  if (errors > 0 || worst == GateStatus::kError) return kExitError;
  if (worst == GateStatus::kFail) return kExitGateFailed;
  if (!IsUndecided(worst) || when == WhenInconclusive::kPass) return kExitSuccess;
  return when == WhenInconclusive::kFail ? kExitGateFailed : kExitSkipped;
}

}  // namespace duetbench
