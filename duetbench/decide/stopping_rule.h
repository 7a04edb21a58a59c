#ifndef DUETBENCH_DECIDE_STOPPING_RULE_H_
#define DUETBENCH_DECIDE_STOPPING_RULE_H_

#include <limits>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Further needs of a comparison, as its last analysis tells.
struct Prospect {
  // Further runs before its second analysis. With those of the first one alone, a simultaneous
  // bound over a suite would be several times as wide, for the few degrees of freedom.
  double first_runs = 0;
  // Further runs after which a final analysis would probably decide it, and after which an interim
  // analysis would and so end it early; infinite: no number of runs would, or it is not known.
  double runs_to_decide = std::numeric_limits<double>::infinity();
  double runs_to_end = std::numeric_limits<double>::infinity();
  double run_s = 0;    // wall time of a run; 0: there was none
  double spent_s = 0;  // wall time of all runs so far
};

// Decides when an experiment has enough runs. It knows results and times that it is told, and has
// no clock.
//
// Without a number of runs in the options, gates and, without gates, a verdict that is to be
// measured for (until_verdict) are analyzed after 6, 8, 12, 18, … runs, until an analysis ends the
// measuring (EndsMeasuring of each gate), or the processes have taken MaxTime(options) seconds or
// would have with one more. Then there is a final analysis. Five runs are made whatever they take.
//
// Else the number of runs is planned. Where it is less than MeasuringPolicy::min_runs, runs that
// took less time than was expected leave time for further ones, up to that number.
class StoppingRule {
 public:
  // `options` must outlive this.
  StoppingRule(const ExperimentOptions& options, double ns_per_tick);

  bool analyzes() const { return analyzes_; }
  // Runs that are planned, for `seconds` of measuring. Once all processes have taken `limit_ns`,
  // the fewest runs (measuring_policy.h) are enough; 0: there is no limit.
  void Plan(int runs, double seconds, double limit_ns);

  // True if one more run is needed, which will take `run_ns`. Called before each run with all
  // results so far and the time that all processes have taken, that of the calibration and of runs
  // that were given up included; and not again once false.
  bool Continue(absl::Span<const RunResult> results, double wall_ns, double run_ns);
  // The results so far are given up: those of other runs follow, from the first on.
  void Restart();

  // Runs planned, as far as is known now.
  int runs() const;
  // Seconds that the experiment may still take after `done` runs.
  double SecondsLeft(int done, double wall_ns) const;
  // Part of 1 - level that is left for the interval at the end (interval.h).
  double final_share() const;
  // The number of the analysis that the experiment ends with, and whether that was made because the
  // time was over.
  int analyses() const { return decided_ ? done_ : done_ + 1; }
  bool time_spent() const { return time_spent_; }
  // After `done` runs; the times are left to the caller.
  Prospect prospect(int done) const;

 private:
  bool Decides(absl::Span<const RunResult> results, double share);
  void LookAhead(const stats::Decision& decision);
  double RunsAt(const stats::Decision& decision, double share) const;

  const ExperimentOptions& options_;
  const double ns_per_tick_;
  const bool analyzes_;
  int planned_runs_;
  double planned_s_ = 0;
  double limit_ns_ = 0;

  int done_ = 0;  // analyses
  bool decided_ = false;
  bool time_spent_ = false;
  // As the last analysis tells; its runs are all that are needed, those done included.
  Prospect prospect_;
};

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_STOPPING_RULE_H_
