#include "duetbench/decide/suite.h"

#include <algorithm>
#include <cstddef>

#include "duetbench/decide/hypothesis_tests.h"

namespace duetbench {
namespace {

GateStatus StatusWithoutGates(const Comparison& duet) {
  if (duet.is_error()) return GateStatus::kError;
  if (duet.failure() == nullptr || !duet.has_gate) return GateStatus::kNoGate;
  return duet.is_unchanged() ? GateStatus::kPass : GateStatus::kNotMeasured;
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

void Count(GateStatus status, SuiteGates* all) {
  if (status == GateStatus::kNoGate) return;
  if (status == GateStatus::kError) {
    ++all->errors;
    return;
  }
  ++all->gates;
  if (status == GateStatus::kPass) ++all->passed;
  if (status == GateStatus::kFail) ++all->failed;
  if (IsUndecided(status)) ++all->undecided;
}

}  // namespace

bool IsUndecided(GateStatus status) {
  return status == GateStatus::kUnproven || status == GateStatus::kInconclusive ||
         status == GateStatus::kNotMeasured;
}

bool NeedsAttention(GateStatus status) {
  return status != GateStatus::kNoGate && status != GateStatus::kPass;
}

SuiteGates JudgeSuite(absl::Span<const Comparison* const> duets) {
  std::vector<const GateResult*> gates;
  for (const Comparison* const duet : duets) {
    if (duet->estimate() == nullptr) continue;
    for (const GateResult& gate : duet->estimate()->gates) gates.push_back(&gate);
  }
  double min_alpha = 1;
  for (const GateResult* const gate : gates) min_alpha = std::min(min_alpha, 1 - gate->level);
  std::vector<double> p;
  for (const GateResult* const gate : gates) {
    p.push_back(std::clamp(gate->p * min_alpha / (1 - gate->level), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  SuiteGates all;
  size_t k = 0;
  for (const Comparison* const duet : duets) {
    GateStatus worst = StatusWithoutGates(*duet);
    const size_t count = duet->estimate() != nullptr ? duet->estimate()->gates.size() : 0;
    if (count == 0) Count(worst, &all);
    for (const size_t end = k + count; k < end; ++k) {
      const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
      const GateStatus alone = gates[k]->outcome;
      const GateStatus status =
          alone == GateStatus::kFail && !proven ? GateStatus::kUnproven : alone;
      Count(status, &all);
      worst = Worse(worst, status);
    }
    all.statuses.push_back(worst);
  }
  return all;
}

ExitStatus SuiteExitStatus(const SuiteGates& gates, int errors, WhenInconclusive when) {
  if (errors + gates.errors > 0) return kExitError;
  if (gates.failed > 0) return kExitGateFailed;
  if (gates.undecided == 0 || when == WhenInconclusive::kPass) return kExitSuccess;
  return when == WhenInconclusive::kFail ? kExitGateFailed : kExitSkipped;
}

}  // namespace duetbench
