#include "duetbench/gates/suite.h"

#include <algorithm>
#include <cstddef>

#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

GateStatus StatusWithoutGates(const SuiteEntry& entry) {
  if (ErrorOf(entry) != nullptr) return GateStatus::kError;
  if (entry.comparison.failure() != nullptr && entry.has_gate) return GateStatus::kNotMeasured;
  return GateStatus::kNoGate;
}

GateStatus StatusOf(GateOutcome outcome, bool proven) {
  switch (outcome) {
    case GateOutcome::kPass:
      return GateStatus::kPass;
    case GateOutcome::kFail:
      return proven ? GateStatus::kFail : GateStatus::kUnproven;
    case GateOutcome::kInconclusive:
      break;
  }
  return GateStatus::kInconclusive;
}

// Of two gates of a duet.
GateStatus Worse(GateStatus a, GateStatus b) {
  constexpr GateStatus kFromTheWorst[] = {GateStatus::kFail, GateStatus::kUnproven,
                                          GateStatus::kInconclusive, GateStatus::kPass};
  for (const GateStatus status : kFromTheWorst) {
    if (a == status || b == status) return status;
  }
  return a;
}

struct OneGate {
  size_t entry;
  GateOutcome outcome;
  double p;
};

void AppendGates(const Comparison& comparison, size_t entry, std::vector<OneGate>* gates) {
  if (comparison.gate.has_value()) {
    gates->push_back({entry, comparison.gate->outcome, comparison.gate->p});
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    gates->push_back({entry, gate.outcome, gate.p});
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    gates->push_back({entry, gate.outcome, gate.p});
  }
}

double AlphaOf(const Comparison& gated) { return 1 - gated.estimate()->interval.level; }

}  // namespace

const Failure* ErrorOf(const SuiteEntry& entry) {
  const Failure* const failure = entry.comparison.failure();
  return failure != nullptr && !failure->error.skipped ? failure : nullptr;
}

const char* GateStatusName(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "PASS";
    case GateStatus::kFail:
      return "FAIL";
    case GateStatus::kUnproven:
      return "UNPROVEN";
    case GateStatus::kInconclusive:
      return "INCONCLUSIVE";
    case GateStatus::kNotMeasured:
      return "SKIPPED";
    case GateStatus::kError:
      return "ERROR";
    case GateStatus::kNoGate:
      break;
  }
  return "-";
}

bool IsUndecided(GateStatus status) {
  return status == GateStatus::kUnproven || status == GateStatus::kInconclusive ||
         status == GateStatus::kNotMeasured;
}

bool NeedsAttention(GateStatus status) {
  return status != GateStatus::kNoGate && status != GateStatus::kPass;
}

std::vector<GateStatus> GateStatuses(absl::Span<const SuiteEntry> suite) {
  std::vector<GateStatus> statuses;
  std::vector<OneGate> gates;
  double min_alpha = 1;
  for (size_t i = 0; i < suite.size(); ++i) {
    statuses.push_back(StatusWithoutGates(suite[i]));
    if (!suite[i].comparison.has_gates() || statuses[i] == GateStatus::kError) continue;
    AppendGates(suite[i].comparison, i, &gates);
    min_alpha = std::min(min_alpha, AlphaOf(suite[i].comparison));
  }
  std::vector<double> p;
  for (const OneGate& gate : gates) {
    p.push_back(std::clamp(gate.p * min_alpha / AlphaOf(suite[gate.entry].comparison), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  for (size_t k = 0; k < gates.size(); ++k) {
    const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
    GateStatus& status = statuses[gates[k].entry];
    status = Worse(status, StatusOf(gates[k].outcome, proven));
  }
  return statuses;
}

SuiteCounts CountStatuses(absl::Span<const GateStatus> statuses) {
  SuiteCounts counts;
  for (const GateStatus status : statuses) {
    if (status == GateStatus::kNoGate) continue;
    if (status == GateStatus::kPass) ++counts.passed;
    if (status == GateStatus::kFail) ++counts.failed;
    if (IsUndecided(status)) ++counts.undecided;
    if (status == GateStatus::kError) ++counts.errors;
  }
  counts.gates = counts.passed + counts.failed + counts.undecided;
  return counts;
}

ExitStatus SuiteExitStatus(const SuiteCounts& counts, int errors, WhenInconclusive when) {
  if (errors + counts.errors > 0) return kExitError;
  if (counts.failed > 0) return kExitGateFailed;
  if (counts.undecided == 0 || when == WhenInconclusive::kPass) return kExitSuccess;
  return when == WhenInconclusive::kFail ? kExitGateFailed : kExitSkipped;
}

}  // namespace duetbench
