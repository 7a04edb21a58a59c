#ifndef DUETBENCH_EXPERIMENT_SUITE_RUNS_H_
#define DUETBENCH_EXPERIMENT_SUITE_RUNS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/stopping_rule.h"

// The order of the runs of a suite. The state of a machine changes over seconds. Where the runs of
// all experiments take place in random order over the whole time, each experiment sees all of these
// states, and those that follow each other in time are of different experiments (randomized
// multiple interleaved trials; Abedi and Brecht, ICPE 2017).
namespace duetbench {

// An experiment of a suite.
class SuiteJob {
 public:
  enum class End { kComplete, kInterrupted, kOutOfTime };

  // Launches the next run; the first call begins the job. False: there is none after it. A run
  // before those that measure, whose costs are not known, is ended after `most_s` seconds; the job
  // may launch it again.
  virtual bool LaunchNext(double most_s) = 0;
  // Makes the result of what has been measured. Once: there is no further run, or the user wants
  // none, or the time is over; also of a job that was not begun.
  virtual void Finish(End end) = 0;
  // Reports it, after Finish.
  virtual void Report() = 0;

  // Runs to come, about, and bytes that the job will hold before it is reported; also before it is
  // begun.
  virtual double RunsLeft() const = 0;
  virtual double Bytes() const = 0;
  // The job as the budget sees it; likewise.
  virtual Prospect prospect() const = 0;

 protected:
  ~SuiteJob() = default;
};

struct SuiteOrder {
  bool interleaved = true;  // else job by job
  uint64_t seed = 0;
  // Jobs are begun while those that are not reported hold less than this together; one always is.
  double max_bytes = 512e6;
  // Seconds for all runs (BudgetWeights), in place of that; 0: no limit. Seconds since the start
  // by a clock that runs while jobs do.
  double budget_s = 0;
  std::function<double()> clock;
};

// Makes all runs of `jobs`. Each job is finished as soon as its runs are over, and reported as soon
// as those before it have been. Interleaved, the next run is that of any job, with a chance in
// proportion to the runs that it has left: all jobs spread over the whole time, however many runs
// they have. With a budget, chances are BudgetWeights, and jobs end when the time is over. When
// `is_interrupted()`, runs end, and all is reported.
void MakeSuiteRuns(const std::vector<SuiteJob*>& jobs, const SuiteOrder& order,
                   const std::function<bool()>& is_interrupted);

// Where the time of --duet_budget goes. Pure.

// The weight with which the next run is that of each experiment; with all zero, none has time left.
//
// As long as an experiment lacks its first runs, and neither they nor the next one take more than
// its equal share of the time, only such ones have runs. Then the time goes to the experiments that
// it can decide: those that need least first, until their needs fill `seconds_left`. Each of them
// has a weight in proportion to the runs that it needs to end. An experiment that would already be
// decided by a final analysis goes on like the others, since ending there would be a choice by its
// result; so does each experiment if the time decides none of them, after the first runs of those
// with expensive ones. A run that would not end in time has no weight.
std::vector<double> BudgetWeights(absl::Span<const Prospect> prospects, double seconds_left);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SUITE_RUNS_H_
