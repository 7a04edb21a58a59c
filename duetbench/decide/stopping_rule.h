#ifndef DUETBENCH_DECIDE_STOPPING_RULE_H_
#define DUETBENCH_DECIDE_STOPPING_RULE_H_

#include <cstddef>

#include "absl/types/span.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Decides when an experiment has enough runs. It knows results and times that it is told, and has
// no clock.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;

  // True if one more run is needed, which will take `run_ns`. Called before each run with all
  // results so far and the time that all processes have taken, that of the calibration and of runs
  // that were given up included; and not again once false.
  virtual bool Continue(absl::Span<const RunResult> results, double wall_ns, double run_ns) = 0;

  // The results so far are given up: those of other runs follow, from the first on.
  virtual void Restart() {}

  // Runs planned, as far as is known now.
  virtual int runs() const = 0;

  // Seconds that the experiment may still take after `done` runs.
  virtual double SecondsLeft(int done, double wall_ns) const = 0;

  // Part of 1 - level that is left for the interval at the end (decide/interim_analysis.h).
  virtual double final_share() const { return 1; }
};

// A number of runs that is known before, for `seconds` of measuring. Once all processes have taken
// `limit_ns`, the fewest runs (measuring_policy.h) are enough; 0: there is no limit.
class FixedRuns final : public StoppingRule {
 public:
  FixedRuns(int runs, double seconds, double limit_ns = 0)
      : runs_(runs), seconds_(seconds), limit_ns_(limit_ns) {}

  bool Continue(absl::Span<const RunResult> results, double wall_ns, double) override {
    const size_t fewest = static_cast<size_t>(kMeasuringPolicy.fewest_runs);
    if (limit_ns_ > 0 && wall_ns > limit_ns_ && results.size() >= fewest) return false;
    return results.size() < static_cast<size_t>(runs_);
  }
  int runs() const override { return runs_; }
  double SecondsLeft(int done, double) const override { return seconds_ * (runs_ - done) / runs_; }

 private:
  int runs_;
  double seconds_;
  double limit_ns_;
};

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_STOPPING_RULE_H_
