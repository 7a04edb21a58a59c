#include "duetbench/experiment/run_sequence.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace duetbench {
namespace {

// Since the first call.
double SecondsNow() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point first = Clock::now();
  return std::chrono::duration<double>(Clock::now() - first).count();
}

}  // namespace

bool RunSequence::Launch(const RunPlan& plan, int run) {
  const double start_s = SecondsNow();
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
  // A launcher that simulates runs has its own clock.
  if (last_.result.start_s < 0) last_.result.start_s = start_s;
  account_.AddRun(last_.result, last_.wall_ns, plan);
  return true;
}

}  // namespace duetbench
