#include "duetbench/gates/suite.h"

#include <algorithm>
#include <cstddef>

#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

GateStatus StatusWithoutGates(const SuiteEntry& entry) {
  if (ErrorOf(entry) != nullptr) return GateStatus::kError;
  if (IsUnchanged(entry)) return entry.has_gate ? GateStatus::kPass : GateStatus::kNoGate;
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

// The worse of two gates of a duet.
GateStatus Worse(GateStatus a, GateStatus b) {
  constexpr GateStatus kFromTheWorst[] = {GateStatus::kFail, GateStatus::kUnproven,
                                          GateStatus::kInconclusive, GateStatus::kPass};
  for (const GateStatus status : kFromTheWorst) {
    if (a == status || b == status) return status;
  }
  return a;
}

void AppendGates(const Comparison& comparison, size_t entry, std::vector<SingleGate>* gates) {
  const double alpha = 1 - comparison.estimate()->interval.level;
  if (comparison.gate.has_value()) {
    gates->push_back({entry, comparison.gate->outcome, comparison.gate->p, alpha});
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    gates->push_back({entry, gate.outcome, gate.p, alpha});
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    gates->push_back({entry, gate.outcome, gate.p, alpha});
  }
}

}  // namespace

const Failure* ErrorOf(const SuiteEntry& entry) {
  const Failure* const failure = entry.comparison.failure();
  return failure != nullptr && !failure->error.skipped ? failure : nullptr;
}

bool IsUnchanged(const SuiteEntry& entry) {
  const Failure* const failure = entry.comparison.failure();
  return failure != nullptr && failure->unchanged;
}

bool IsOutOfTime(const SuiteEntry& entry) {
  const Failure* const failure = entry.comparison.failure();
  return failure != nullptr && failure->out_of_time;
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

namespace {

std::vector<SingleGate> GatesOf(absl::Span<const SuiteEntry> suite) {
  std::vector<SingleGate> gates;
  for (size_t i = 0; i < suite.size(); ++i) {
    if (suite[i].comparison.estimate() != nullptr) AppendGates(suite[i].comparison, i, &gates);
  }
  return gates;
}

// The status of each gate.
std::vector<GateStatus> JudgeEach(absl::Span<const SingleGate> gates) {
  std::vector<GateStatus> statuses;
  double min_alpha = 1;
  for (const SingleGate& gate : gates) min_alpha = std::min(min_alpha, gate.alpha);
  std::vector<double> p;
  for (const SingleGate& gate : gates) {
    p.push_back(std::clamp(gate.p * min_alpha / gate.alpha, 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  for (size_t k = 0; k < gates.size(); ++k) {
    const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
    statuses.push_back(StatusOf(gates[k].outcome, proven));
  }
  return statuses;
}

void Count(GateStatus status, SuiteCounts* counts) {
  if (status == GateStatus::kNoGate) return;
  if (status == GateStatus::kError) {
    ++counts->errors;
    return;
  }
  ++counts->gates;
  if (status == GateStatus::kPass) ++counts->passed;
  if (status == GateStatus::kFail) ++counts->failed;
  if (IsUndecided(status)) ++counts->undecided;
}

}  // namespace

std::vector<GateStatus> JudgeTogether(absl::Span<const SingleGate> gates, size_t duets) {
  std::vector<GateStatus> statuses(duets, GateStatus::kNoGate);
  const std::vector<GateStatus> each = JudgeEach(gates);
  for (size_t k = 0; k < gates.size(); ++k) {
    GateStatus& status = statuses[gates[k].duet];
    status = Worse(status, each[k]);
  }
  return statuses;
}

std::vector<GateStatus> GateStatuses(absl::Span<const SuiteEntry> suite) {
  std::vector<GateStatus> statuses = JudgeTogether(GatesOf(suite), suite.size());
  for (size_t i = 0; i < suite.size(); ++i) {
    if (statuses[i] == GateStatus::kNoGate) statuses[i] = StatusWithoutGates(suite[i]);
  }
  return statuses;
}

SuiteCounts CountGates(absl::Span<const SingleGate> gates) {
  SuiteCounts counts;
  for (const GateStatus status : JudgeEach(gates)) Count(status, &counts);
  return counts;
}

SuiteCounts CountGates(absl::Span<const SuiteEntry> suite) {
  SuiteCounts counts = CountGates(GatesOf(suite));
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.estimate() == nullptr) Count(StatusWithoutGates(entry), &counts);
  }
  return counts;
}

ExitStatus SuiteExitStatus(const SuiteCounts& counts, int errors, WhenInconclusive when) {
  if (errors + counts.errors > 0) return kExitError;
  if (counts.failed > 0) return kExitGateFailed;
  if (counts.undecided == 0 || when == WhenInconclusive::kPass) return kExitSuccess;
  return when == WhenInconclusive::kFail ? kExitGateFailed : kExitSkipped;
}

}  // namespace duetbench
