#ifndef DUETBENCH_EXPERIMENT_DUET_JOB_H_
#define DUETBENCH_EXPERIMENT_DUET_JOB_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duetbench/experiment/duet_measurer.h"
#include "duetbench/experiment/experiment_host.h"
#include "duetbench/experiment/suite_runs.h"

namespace duetbench {

class DuetJob;

// The jobs of a suite, and what the progress line says of all of them.
struct DuetJobs {
  DuetMeasurer* measurer = nullptr;
  bool interleaved = false;
  double budget_s = 0;            // 0: none
  std::function<double()> clock;  // seconds since the start
  int tenths_told = 0;            // of the budget, where there is no progress line
  std::vector<std::unique_ptr<SuiteJob>> jobs;
  std::vector<const DuetJob*> same_jobs;

  // "duet 3 of 12", or "3 of 12 duets done".
  std::string PlaceOf(const DuetJob& job) const;
  double SecondsLeft() const;
  // "12 of 131 duets decided, 119 open, 4.5 min left", with a budget.
  std::string BudgetText() const;
};

// Takes what became of the duet number `duet` of a job's group, else 0; `begun`: it was measured,
// or it was tried.
using TakeComparison = std::function<void(size_t duet, Comparison comparison, bool begun)>;

// A duet, or the duets of a group, as a job of a suite.
class DuetJob final : public SuiteJob {
 public:
  // `number` in the progress line, from 1. `all` outlives it.
  DuetJob(DuetTask task, int number, DuetJobs* all, TakeComparison take);

  void Begin() override;
  bool LaunchNext() override;
  void End(bool interrupted) override;
  void Finish() override;
  void Report() override;

  double RunsLeft() const override;
  double Bytes() const override;  // of pairs, which are what fills the memory
  Prospect prospect() const override;

  int number() const { return number_; }
  bool is_done() const { return is_done_; }
  double SecondsLeft() const;

 private:
  bool IsToBeExplained(size_t duet) const;
  size_t duets() const { return task_.group.empty() ? 1 : task_.group.size(); }
  // The task of one duet alone.
  DuetTask TaskOf(size_t duet) const;
  // The outcome of all its duets.
  void SetAll(const Comparison& comparison);

  const DuetTask task_;
  const int number_;
  DuetJobs& all_;
  DuetMeasurer& measurer_;
  const ExperimentOptions options_;
  const TakeComparison take_;
  bool begun_ = false;
  bool is_done_ = false;
  bool is_out_of_time_ = false;               // the budget has ended it
  bool is_recorded_ = true;                   // in the file of pairs, or there is nothing to record
  std::unique_ptr<HostedExperiment> hosted_;  // while there are runs to launch
  std::vector<Comparison> comparisons_;       // after it, of each duet
};

// Adds a job.
void AddJob(DuetTask task, int number, TakeComparison take, DuetJobs* all);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_DUET_JOB_H_
