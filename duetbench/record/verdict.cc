#include "duetbench/record/verdict.h"

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

}  // namespace duetbench::stats
