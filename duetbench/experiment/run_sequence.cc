#include "duetbench/experiment/run_sequence.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace duetbench {

bool RunSequence::Launch(const RunPlan& plan, int run) {
  absl::StatusOr<LaunchedRun> launched = launch_(plan);
  if (!launched.ok()) {
    failure_.error.cause = std::string(launched.status().message());
    failure_.run = run;
    return false;
  }
  interrupted_ = launched->interrupted;
  if (interrupted_) return false;
  if (!launched->result.error.cause.empty()) {
    failure_.error = std::move(launched->result.error);
    if (!failure_.error.skipped) failure_.run = run;
    return false;
  }
  last_ = *std::move(launched);
  account_.AddRun(last_.result, last_.wall_ns, plan);
  return true;
}

}  // namespace duetbench
