#ifndef DUETBENCH_EXPERIMENT_EXPERIMENT_PLAN_H_
#define DUETBENCH_EXPERIMENT_EXPERIMENT_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/schedule.h"

// The plans of an experiment's runs.
namespace duetbench {

// Facts about the machine that every run is planned with; a report prints them once.
struct Machine {
  CpuPairChoice cpus;
  double ns_per_tick = 1;
  std::string clock;  // "tsc 2.60 GHz, 10 ns steps"
  double clock_step_ns = 0;
  double clock_overhead_ns = 0;
  std::vector<std::string> warnings;
};

// Looks at this machine: chooses the CPUs (or takes `cpus`, "2,3", if it is not empty), and
// measures the clock. About 10 ms. The error says what is wrong with `cpus`.
absl::StatusOr<Machine> InspectMachine(const std::string& cpus);

// The plan that all measuring runs share; the batch and the budget are left open.
RunPlan MeasuringPlan(const ExperimentOptions& options, const Machine& machine);

// A run of one iteration of each variant, which compares what they compute.
RunPlan CheckPlan(const ExperimentOptions& options, const Machine& machine);

// A run of one pair, of one iteration of each variant.
RunPlan DryRunPlan(const ExperimentOptions& options, const Machine& machine);

// The demanded schedule; none, where it needs a second CPU and there is only one.
std::optional<Schedule> PossibleSchedule(std::optional<Schedule> demanded, const Machine& machine);

// s of the experiment: the demanded time, or that of the fewest runs with a block of each of two
// variants, if that is more. Iterations that are counted take their time.
double MinTimeOf(const ExperimentOptions& options);

// Gives `plan` the schedule, and the CPUs and the solo time that go with it; where variants use
// all CPUs, always kInterleaved without its own CPU.
void SetSchedule(Schedule schedule, const Machine& machine, RunPlan* plan);

// The costs of a run besides its measuring time.
struct RunCosts {
  double start_ns = 0;   // of its process, and its end
  double set_up_ns = 0;  // of the variants, in all loops of a run
  // Time of the shortest warm-up of a run. 0 if calls_ns is set, which includes it.
  double warm_up_ns = 0;
  // Time of the fewest pairs if a variant is called anew for each sample, set-up included. They are
  // part of the measuring time.
  double calls_ns = 0;
  // Time that the first iterations of its processes take beyond that of later ones: lazy
  // initialisation.
  double first_calls_ns = 0;
  double sum_ns() const { return start_ns + set_up_ns + warm_up_ns + calls_ns + first_calls_ns; }
};

// calls_ns of a run with this plan, calibrated.
double FewestCallsNs(const RunPlan& plan);

// first_calls_ns by a pilot with this plan, calibrated by it or before: it took `wall_ns`, of which
// `set_up_ns` in set-ups. That is the time that neither these, the budget nor a calibration
// explain; 0 if it is no more than another pilot may cost in an experiment of `min_time` seconds.
double FirstCallsNs(const RunPlan& plan, double wall_ns, double set_up_ns, double min_time);

// Wall time of a measuring run with this plan, calibrated, from its start to its end; at most,
// unless it waits for its CPUs.
double ExpectedRunNs(const RunPlan& plan, const RunCosts& costs);

// warm_up_ns of a run with this plan, calibrated; without what the user wants more of it.
double ShortestWarmUpNs(const RunPlan& plan);

// min_runs runs (measuring_policy.h) would spend more than a quarter of `min_time` seconds in
// set-ups.
bool IsSetupExpensive(const RunCosts& costs, double min_time);

// Divides `left_ns` of wall time, but at least `min_ns` of measuring, into `runs` runs: the budget
// of each in `plan`, without starts, set-ups and warm-ups, and at least a block of each variant
// (kAlternating).
void DivideTime(double left_ns, double min_ns, int runs, const RunCosts& costs, RunPlan* plan);

// Sets the time-out of a measuring run, of which everything else is planned: `timeout` seconds or,
// where it is expected to take more than a quarter of that, four times the time that it is expected
// to take. Ten samples of 16 s are no run that is stuck. The calibration of a variant keeps the
// time-out.
void ExtendTimeout(double timeout, const RunCosts& costs, RunPlan* plan);

// The number of runs that share `min_time` seconds if one costs `overhead` seconds: as many as keep
// all overhead below a fifth, 10 to 40; or stats::kManyRuns, if these keep it below one half
// (measuring_policy.h has the measurements).
int ChooseRuns(double min_time, double overhead);

// The same for `schedule`, or as many as `left_ns` of wall time suffice for, at least
// MeasuringPolicy::fewest_runs, where set-ups are expensive or each run needs a block of each of
// `variants` variants (kAlternating).
int ChooseRunsFor(Schedule schedule, const RunCosts& costs, double min_time, double left_ns,
                  int variants = 2);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPERIMENT_PLAN_H_
