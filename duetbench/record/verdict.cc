#include "duetbench/record/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace duetbench::stats {

const char* VerdictName(Verdict verdict) {
  constexpr const char* kNames[] = {"FASTER", "SLOWER", "EQUAL", "INCONCLUSIVE"};
  return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace duetbench::stats

namespace duetbench {
namespace {

GateSpec Checked(GateSpec::Kind kind, double value, const char* needed, Metric metric = {}) {
  if (GateSpec::IsValid(kind, value)) return {kind, value, std::move(metric)};
  std::fprintf(stderr, "duetbench: a gate got %g, but needs %s\n", value, needed);
  std::abort();
}

}  // namespace

GateSpec GateSpec::MaxRatio(double ratio, Metric metric) {
  return Checked(Kind::kMaxRatio, ratio, "a ratio new/old above 0, such as 1.05",
                 std::move(metric));
}

GateSpec GateSpec::MinSpeedup(double factor) {
  return Checked(Kind::kMinSpeedup, factor, "a factor above 0, such as 1.2 for 1.2 times as fast");
}

GateSpec GateSpec::MinRatio(double ratio) {
  return Checked(Kind::kMinRatio, ratio, "a ratio new/old above 0, such as 0.98");
}

GateSpec GateSpec::Equivalent(double margin) {
  return Checked(Kind::kEquivalent, margin, "a margin between 0 and 1, such as 0.02 for 2 %");
}

bool GateSpec::IsValid(Kind kind, double value) {
  if (!std::isfinite(value) || !std::isfinite(1 / value)) return false;
  return value > 0 && (kind != Kind::kEquivalent || value < 1);
}

double GateSpec::lo() const {
  if (kind == Kind::kMinRatio) return value;
  return kind == Kind::kEquivalent ? 1 / (1 + value) : 0;
}

double GateSpec::hi() const {
  if (kind == Kind::kMinRatio) return std::numeric_limits<double>::infinity();
  if (kind == Kind::kMinSpeedup) return 1 / value;
  return kind == Kind::kEquivalent ? 1 + value : value;
}

void SetGate(GateSpec gate, std::vector<GateSpec>* gates) {
  const auto same = std::find_if(gates->begin(), gates->end(), [&](const GateSpec& other) {
    return other.metric == gate.metric;
  });
  if (same != gates->end()) {
    *same = std::move(gate);
  } else {
    gates->push_back(std::move(gate));
  }
}

const GateSpec* TimeGate(const std::vector<GateSpec>& gates) {
  const auto found = std::find_if(gates.begin(), gates.end(),
                                  [](const GateSpec& gate) { return gate.metric.is_time(); });
  return found == gates.end() ? nullptr : &*found;
}

const char* GateStatusName(GateStatus status) {
  constexpr const char* kNames[] = {"ERROR",   "FAIL", "UNPROVEN", "INCONCLUSIVE",
                                    "SKIPPED", "PASS", "-"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace duetbench
