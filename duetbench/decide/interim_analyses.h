#ifndef DUETBENCH_DECIDE_INTERIM_ANALYSES_H_
#define DUETBENCH_DECIDE_INTERIM_ANALYSES_H_

#include <limits>

#include "duetbench/decide/decision.h"
#include "duetbench/decide/interim_analysis.h"
#include "duetbench/decide/stopping_rule.h"
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
  double run_s = 0;  // wall time of a run; 0: there was none
};

// Measures until the gates of the options are decided or, without gates, the verdict: the runs are
// analyzed after 6, 8, 12, 18, … of them, until an analysis ends the measuring (EndsMeasuring of
// each gate), or the processes have taken MaxTime(options) seconds or would have with one more.
// Then there is a final analysis. Five runs are made whatever they take.
class InterimAnalyses final : public StoppingRule {
 public:
  // `options` must outlive this.
  InterimAnalyses(const ExperimentOptions& options, double ns_per_tick)
      : options_(options), ns_per_tick_(ns_per_tick) {}

  bool Continue(absl::Span<const RunResult> results, double wall_ns, double run_ns) override;
  void Restart() override {
    done_ = 0;
    decided_ = false;
    prospect_ = {};
  }
  int runs() const override { return stats::AnalysisRuns(done_); }
  double SecondsLeft(int done, double wall_ns) const override;
  double final_share() const override;

  // The number of the analysis that the experiment ends with, and whether that was made because the
  // time was over.
  int analyses() const { return decided_ ? done_ : done_ + 1; }
  bool time_spent() const { return time_spent_; }

  // After `done` runs; run_s is left to the caller.
  Prospect prospect(int done) const;

 private:
  bool Decides(absl::Span<const RunResult> results, double share);
  void LookAhead(const stats::Decision& decision);
  double RunsAt(const stats::Decision& decision, double share) const;

  const ExperimentOptions& options_;
  const double ns_per_tick_;
  int done_ = 0;  // analyses
  bool decided_ = false;
  bool time_spent_ = false;
  Prospect
      prospect_;  // of the last analysis; its runs are all that are needed, those done included
};

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_INTERIM_ANALYSES_H_
