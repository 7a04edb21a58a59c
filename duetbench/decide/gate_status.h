#ifndef DUETBENCH_DECIDE_GATE_STATUS_H_
#define DUETBENCH_DECIDE_GATE_STATUS_H_

namespace duetbench::stats {

// The answer to a gate.
enum class GateStatus {
  // By itself:
  kPass,
  kFail,
  kInconclusive,  // neither
  // Among all gates of a suite (decide/suite.h):
  kUnproven,     // FAIL by itself, but not after Holm's correction: counts as inconclusive
  kNotMeasured,  // a variant asked not to be measured, or the budget had no time
  kError,
  kNoGate,
};

// "PASS", "FAIL", "INCONCLUSIVE", "UNPROVEN", "SKIPPED", "ERROR", "-".
const char* GateStatusName(GateStatus status);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_GATE_STATUS_H_
