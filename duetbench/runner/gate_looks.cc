#include "duetbench/runner/gate_looks.h"

#include "duetbench/runner/gate.h"

namespace duetbench {

bool GateLooks::GoOn(const std::vector<RunResult>& results, double ns_per_tick, double wall_ns) {
  const int runs = static_cast<int>(results.size());
  if (runs == next_runs()) {
    const Look look{done_ + 1, stats::LookShare(done_), /*last=*/false};
    ++done_;
    const Comparison comparison = Summarize(results, options_, ns_per_tick, look);
    if (comparison.gate.has_value() && EndsMeasuring(*comparison.gate, options_.level)) {
      decided_ = true;
      final_ = {look.number, look.share, /*last=*/true};
      return false;
    }
  }
  if (runs < stats::LookRuns(0)) return true;
  const double wall_of_one = wall_ns / (runs + 1);  // the pilot is one
  time_spent_ = wall_ns + wall_of_one > MaxTime(options_) * 1e9;
  return !time_spent_;
}

}  // namespace duetbench
