#include "duetbench/stats/verdict.h"

#include "duetbench/stats/require.h"

namespace duetbench::stats {

absl::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "FASTER";
    case Verdict::kSlower:
      return "SLOWER";
    case Verdict::kEqual:
      return "EQUAL";
    case Verdict::kInconclusive:
      break;
  }
  return "INCONCLUSIVE";
}

Verdict Decide(const RatioInterval& interval, double margin) {
  Require(margin >= 0, "the margin of a verdict is not negative");
  if (interval.lo >= 1 / (1 + margin) && interval.hi <= 1 + margin) return Verdict::kEqual;
  if (interval.lo > 1 && interval.hi > 1) return Verdict::kSlower;
  if (interval.lo < 1 && interval.hi < 1) return Verdict::kFaster;
  return Verdict::kInconclusive;
}

absl::string_view GateOutcomeName(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::kPass:
      return "PASS";
    case GateOutcome::kFail:
      return "FAIL";
    case GateOutcome::kInconclusive:
      break;
  }
  return "INCONCLUSIVE";
}

GateOutcome Gate(const RatioInterval& interval, double limit) {
  Require(limit > 0, "the limit of a gate is positive");
  if (interval.hi <= limit) return GateOutcome::kPass;
  if (interval.lo > limit) return GateOutcome::kFail;
  return GateOutcome::kInconclusive;
}

}  // namespace duetbench::stats
