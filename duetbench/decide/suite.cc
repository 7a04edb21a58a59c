#include "duetbench/decide/suite.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

GateStatus StatusWithoutGates(const SuiteEntry& entry) {
  if (ErrorOf(entry) != nullptr) return GateStatus::kError;
  if (IsUnchanged(entry)) return entry.has_gate ? GateStatus::kPass : GateStatus::kNoGate;
  if (entry.comparison.failure() != nullptr && entry.has_gate) return GateStatus::kNotMeasured;
  return GateStatus::kNoGate;
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

bool IsUndecided(GateStatus status) {
  return status == GateStatus::kUnproven || status == GateStatus::kInconclusive ||
         status == GateStatus::kNotMeasured;
}

bool NeedsAttention(GateStatus status) {
  return status != GateStatus::kNoGate && status != GateStatus::kPass;
}

namespace {

// The status of each gate, entry by entry.
std::vector<std::vector<GateStatus>> JudgeEach(absl::Span<const SuiteEntry> suite) {
  std::vector<const GateResult*> gates;
  std::vector<std::vector<GateStatus>> statuses(suite.size());
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr) continue;
    for (const GateResult& gate : estimate->gates) gates.push_back(&gate);
  }
  double min_alpha = 1;
  for (const GateResult* const gate : gates) min_alpha = std::min(min_alpha, 1 - gate->level);
  std::vector<double> p;
  for (const GateResult* const gate : gates) {
    p.push_back(std::clamp(gate->p * min_alpha / (1 - gate->level), 0.0, 1.0));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  size_t k = 0;
  for (size_t i = 0; i < suite.size(); ++i) {
    const Estimate* const estimate = suite[i].comparison.estimate();
    for (size_t gate = 0; estimate != nullptr && gate < estimate->gates.size(); ++gate, ++k) {
      const bool proven = adjusted[k] <= min_alpha * (1 + 1e-9);  // a single gate, despite rounding
      const GateStatus alone = gates[k]->outcome;
      statuses[i].push_back(alone == GateStatus::kFail && !proven ? GateStatus::kUnproven : alone);
    }
    if (statuses[i].empty()) statuses[i] = {StatusWithoutGates(suite[i])};
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

std::vector<GateStatus> GateStatuses(absl::Span<const SuiteEntry> suite) {
  std::vector<GateStatus> worst;
  for (const std::vector<GateStatus>& gates : JudgeEach(suite)) {
    worst.push_back(std::accumulate(gates.begin() + 1, gates.end(), gates.front(), Worse));
  }
  return worst;
}

SuiteCounts CountGates(absl::Span<const SuiteEntry> suite) {
  SuiteCounts counts;
  for (const std::vector<GateStatus>& gates : JudgeEach(suite)) {
    for (const GateStatus status : gates) Count(status, &counts);
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
