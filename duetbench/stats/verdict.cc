#include "duetbench/stats/verdict.h"

#include "duetbench/stats/interval.h"
#include "duetbench/stats/require.h"

namespace duetbench::stats {

const char* VerdictName(Verdict verdict) {
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

}  // namespace duetbench::stats
