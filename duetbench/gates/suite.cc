#include "duetbench/gates/suite.h"

#include <algorithm>
#include <cstddef>

#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

// Without a correction.
GateStatus StatusAlone(const SuiteEntry& entry) {
  if (ErrorOf(entry) != nullptr) return GateStatus::kError;
  if (entry.comparison.failure() != nullptr && entry.has_gate) return GateStatus::kNotMeasured;
  if (!entry.comparison.gate.has_value()) return GateStatus::kNoGate;
  switch (entry.comparison.gate->outcome) {
    case GateOutcome::kPass:
      return GateStatus::kPass;
    case GateOutcome::kFail:
      return GateStatus::kFail;
    case GateOutcome::kInconclusive:
      break;
  }
  return GateStatus::kInconclusive;
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
  std::vector<size_t> gates;
  double min_alpha = 1;
  for (size_t i = 0; i < suite.size(); ++i) {
    statuses.push_back(StatusAlone(suite[i]));
    if (!suite[i].comparison.gate.has_value() || statuses[i] == GateStatus::kError) continue;
    gates.push_back(i);
    min_alpha = std::min(min_alpha, AlphaOf(suite[i].comparison));
  }
  std::vector<double> p;
  for (const size_t i : gates) {
    const Comparison& gated = suite[i].comparison;
    p.push_back(std::clamp(gated.gate->p * min_alpha / AlphaOf(gated), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  for (size_t k = 0; k < gates.size(); ++k) {
    GateStatus& status = statuses[gates[k]];
    const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
    if (status == GateStatus::kFail && !proven) status = GateStatus::kUnproven;
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
