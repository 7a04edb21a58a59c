#ifndef DUETBENCH_RUNNER_GATE_LOOKS_H_
#define DUETBENCH_RUNNER_GATE_LOOKS_H_

#include <vector>

#include "duetbench/runner/comparison.h"
#include "duetbench/runner/options.h"
#include "duetbench/runner/run_result.h"
#include "duetbench/stats/looks.h"

namespace duetbench {

// When the runs of a gated benchmark are looked at, and whether they end there. It decides by the
// runs' results and the times that it is told; it has no clock.
class GateLooks {
 public:
  // `options` must live as long as this, and have a gate.
  explicit GateLooks(const ExperimentOptions& options) : options_(options) {}

  // Runs at the next look.
  int next_runs() const { return stats::LookRuns(done_); }

  // To be called after each run with all results so far and the time that all processes have taken,
  // the pilot's included. False when the measuring ends.
  bool GoOn(const std::vector<RunResult>& results, double ns_per_tick, double wall_ns);

  // The look to summarise the experiment with: the one that decided, else the last one.
  Look final() const { return decided_ ? final_ : Look{done_ + 1, stats::kLastLookShare, true}; }
  // Whether it ended because the time was over.
  bool time_spent() const { return time_spent_; }

 private:
  const ExperimentOptions& options_;
  int done_ = 0;
  bool decided_ = false;
  bool time_spent_ = false;
  Look final_;
};

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_GATE_LOOKS_H_
