#include "duetbench/runner/gate.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace duetbench {
namespace {

constexpr double kLargestSuite = 1000;

GateDemand Checked(GateDemand::Kind kind, double value, const char* wanted) {
  if (GateDemand::Allows(kind, value)) return {kind, value};
  std::fprintf(stderr, "duetbench: a gate got %g, but needs %s\n", value, wanted);
  std::abort();
}

}  // namespace

GateDemand GateDemand::MaxRatio(double ratio) {
  return Checked(Kind::kMaxRatio, ratio, "a ratio new/old above 0, such as 1.05");
}

GateDemand GateDemand::MinSpeedup(double factor) {
  return Checked(Kind::kMinSpeedup, factor, "a factor above 0, such as 1.2 for 1.2 times as fast");
}

GateDemand GateDemand::Equivalent(double margin) {
  return Checked(Kind::kEquivalent, margin, "a margin between 0 and 1, such as 0.02 for 2 %");
}

bool GateDemand::Allows(Kind kind, double value) {
  if (!std::isfinite(value) || !std::isfinite(1 / value)) return false;
  return value > 0 && (kind != Kind::kEquivalent || value < 1);
}

double GateDemand::lo() const { return kind == Kind::kEquivalent ? 1 / (1 + value) : 0; }

double GateDemand::hi() const {
  switch (kind) {
    case Kind::kMaxRatio:
      return value;
    case Kind::kMinSpeedup:
      return 1 / value;
    case Kind::kEquivalent:
      return 1 + value;
    case Kind::kNone:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

stats::GateOutcome Judge(const GateDemand& demand, const stats::RatioInterval& interval) {
  if (interval.lo > demand.hi() || interval.hi < demand.lo()) return stats::GateOutcome::kFail;
  if (interval.lo >= demand.lo() && interval.hi <= demand.hi()) return stats::GateOutcome::kPass;
  return stats::GateOutcome::kInconclusive;
}

bool EndsMeasuring(const GateResult& gate, double level) {
  if (gate.outcome == stats::GateOutcome::kPass) return true;
  return gate.outcome == stats::GateOutcome::kFail && gate.p <= (1 - level) / kLargestSuite;
}

}  // namespace duetbench
