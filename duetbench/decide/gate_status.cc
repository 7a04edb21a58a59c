#include "duetbench/decide/gate_status.h"

namespace duetbench::stats {

const char* GateStatusName(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "PASS";
    case GateStatus::kFail:
      return "FAIL";
    case GateStatus::kInconclusive:
      return "INCONCLUSIVE";
    case GateStatus::kUnproven:
      return "UNPROVEN";
    case GateStatus::kNotMeasured:
      return "SKIPPED";
    case GateStatus::kError:
      return "ERROR";
    case GateStatus::kNoGate:
      break;
  }
  return "-";
}

}  // namespace duetbench::stats
