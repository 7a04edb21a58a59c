#include "duetbench/experiment/experiment_plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/interval.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

absl::StatusOr<CpuPairChoice> Choose(const std::string& cpus, const std::vector<int>& allowed,
                                     const CpuTopology& topology) {
  if (cpus.empty()) return ChooseCpuPair(allowed, topology);
  absl::StatusOr<CpuPairChoice> choice = ParseCpuPair(cpus, allowed, topology);
  if (choice.ok()) return choice;
  return absl::Status(choice.status().code(),
                      absl::StrCat("--duet_cpus: ", std::string(choice.status().message())));
}

// Time of a fixed number of iterations; 0 if it is not fixed.
double FixedNs(const RunPlan& plan) {
  return plan.sample_ns * static_cast<double>(plan.fixed_iterations) /
         static_cast<double>(std::max<uint64_t>(plan.batch, 1));
}

}  // namespace

absl::StatusOr<Machine> InspectMachine(const std::string& cpus) {
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  if (!allowed.ok()) return allowed.status();
  absl::StatusOr<CpuPairChoice> choice = Choose(cpus, *allowed, ReadCpuTopology("/sys"));
  if (!choice.ok()) return choice.status();
  Machine machine;
  machine.cpus = *std::move(choice);
  const ClockTraits clock = MeasureClock();
  machine.ns_per_tick = NsPerTick();
  machine.clock_step_ns = static_cast<double>(clock.step_ticks) * machine.ns_per_tick;
  machine.clock_overhead_ns = static_cast<double>(clock.overhead_ticks) * machine.ns_per_tick;
  machine.clock = ticks::SourceName();
  if (ticks::internal::kUseCounter) {
    machine.clock += absl::StrFormat(" %.2f GHz", 1 / machine.ns_per_tick);
  }
  machine.clock += absl::StrFormat(", %.2g ns steps", machine.clock_step_ns);

  const std::string why_not_counter = ticks::FallbackReason();
  if (!why_not_counter.empty()) {
    machine.warnings.push_back("times are taken with clock_gettime: " + why_not_counter);
  }
  for (std::string& warning : EnvironmentWarnings(ReadEnvironment(""))) {
    machine.warnings.push_back(std::move(warning));
  }
  return machine;
}

RunPlan MeasuringPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan;
  plan.seed = options.seed;
  plan.variants = static_cast<uint32_t>(options.variants);
  plan.fill = options.fill && !options.calls ? 1 : 0;
  plan.calls = options.calls ? 1 : 0;
  plan.ns_per_tick = machine.ns_per_tick;
  plan.cpus_per_variant =
      HasCpusForThreads(options.cpus_per_variant) ? options.cpus_per_variant : 1;
  // A group has one CPU in its checks and dry runs, too.
  const Schedule schedule = options.variants > 2 ? Schedule::kInterleaved : Schedule::kDuet;
  SetSchedule(options.schedule.value_or(schedule), machine, &plan);
  plan.resolution_ns = std::max(machine.clock_step_ns, machine.clock_overhead_ns);
  plan.min_batch_ns = options.quantiles.empty()
                          ? std::max(kMeasuringPolicy.min_batch_ns,
                                     kMeasuringPolicy.clocks_per_batch * plan.resolution_ns)
                          : kMeasuringPolicy.clocks_per_call * plan.resolution_ns;
  plan.fixed_iterations = options.fixed_iterations;
  plan.warm_up_ns = options.warm_up * 1e9;
  plan.timeout_ns = options.timeout * 1e9;
  plan.manual_time = options.manual_time ? 1 : 0;
  for (const Event& event : options.events) {
    if (plan.events < kMaxEvents) plan.event_codes[plan.events++] = event.code;
  }
  return plan;
}

RunPlan CheckPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan = MeasuringPlan(options, machine);
  plan.check_equal = 1;
  plan.fixed_iterations = 1;
  plan.batch = 1;
  return plan;
}

RunPlan DryRunPlan(const ExperimentOptions& options, const Machine& machine) {
  RunPlan plan = MeasuringPlan(options, machine);
  plan.batch = 1;
  plan.sample_ns = kMeasuringPolicy.no_warm_up_ns;
  plan.warm_up_ns = 0;
  plan.fixed_iterations = 1;
  plan.budget_ns = 1;
  return plan;
}

std::optional<Schedule> PossibleSchedule(std::optional<Schedule> demanded, const Machine& machine) {
  const bool is_possible = demanded.has_value() && (machine.cpus.relation != CpuRelation::kOneCpu ||
                                                    !UsesTwoCpus(*demanded));
  return is_possible ? demanded : std::nullopt;
}

double MinTimeOf(const ExperimentOptions& options) {
  if (options.fixed_iterations > 0) return options.min_time;
  const double of_blocks_ns = kMeasuringPolicy.fewest_runs * 2 * kMeasuringPolicy.block_ns;
  return std::max(options.min_time.value(), of_blocks_ns / 1e9);
}

void SetSchedule(Schedule schedule, const Machine& machine, RunPlan* plan) {
  if (plan->cpus_per_variant != 1) {
    // One variant at a time: two that both use the same CPUs would halve the speed-up of either.
    plan->schedule = Schedule::kInterleaved;
    plan->solo_share = 0;
    plan->other_cpu = -1;
    for (int i = 0; i < 2; ++i) {
      plan->cpus[i] = plan->cpus_per_variant == kAllCpus ? -1 : machine.cpus.cpus[i];
    }
    return;
  }
  plan->schedule = schedule;
  const bool has_segments = schedule == Schedule::kDuet || schedule == Schedule::kInterleaved;
  plan->solo_share = has_segments ? kMeasuringPolicy.solo_share : 0;
  plan->cpus[0] = machine.cpus.cpus[0];
  plan->cpus[1] = machine.cpus.cpus[UsesTwoCpus(schedule) ? 1 : 0];
  const bool takes_either =
      !UsesTwoCpus(schedule) && machine.cpus.relation != CpuRelation::kUnequalCores;
  plan->other_cpu = takes_either ? machine.cpus.cpus[1] : -1;
}

double FewestCallsNs(const RunPlan& plan) {
  if (plan.calls == 0) return 0;
  if (plan.fixed_iterations > 0) return plan.sample_ns;
  const Pacing pacing = PaceRun(plan, plan.sample_ns);
  const uint32_t measured = UsesTwoCpus(plan.schedule) ? 2 : 1;
  return plan.sample_ns * (pacing.warm_up_pairs + measured);
}

double ShortestWarmUpNs(const RunPlan& plan) {
  if (plan.calls != 0 || plan.fixed_iterations > 0) return 0;
  const Pacing pacing = PaceRun(plan, plan.sample_ns);
  return std::max(pacing.warm_up_ns - plan.warm_up_ns, pacing.warm_up_pairs * plan.sample_ns);
}

double FirstCallsNs(const RunPlan& plan, double wall_ns, double set_up_ns, double min_time) {
  const double samples_ns =
      kMeasuringPolicy.samples_of_calibration * plan.sample_ns * plan.variants / 2 +
      2 * FixedNs(plan);
  const double rest_ns = wall_ns - set_up_ns - plan.budget_ns - plan.warm_up_ns - samples_ns;
  return rest_ns > kMeasuringPolicy.unexplained_share_of_pilot * min_time * 1e9 ? rest_ns : 0;
}

double ExpectedRunNs(const RunPlan& plan, const RunCosts& costs) {
  // However short the budget is: two pairs, or two segments (kAlternating), and what is
  // not measured before them.
  constexpr double kMaxSamples = 6;
  const double samples_ns =
      std::max(kMaxSamples * plan.sample_ns * plan.variants / 2, 2 * FixedNs(plan));
  return costs.start_ns + costs.first_calls_ns + costs.set_up_ns + costs.warm_up_ns +
         plan.warm_up_ns + plan.budget_ns + samples_ns;
}

bool IsSetupExpensive(const RunCosts& costs, double min_time) {
  return (costs.set_up_ns + costs.calls_ns) * kMeasuringPolicy.min_runs >
         kMeasuringPolicy.set_up_share * min_time * 1e9;
}

void DivideTime(double left_ns, double min_ns, int runs, const RunCosts& costs, RunPlan* plan) {
  const double before_ns =
      costs.start_ns + costs.first_calls_ns + costs.set_up_ns + costs.warm_up_ns;
  plan->budget_ns = std::max(left_ns - before_ns * runs, min_ns) / runs;
  if (plan->fixed_iterations > 0) return;
  // With blocks, a run has one of each variant at least.
  const double blocks_ns =
      plan->schedule == Schedule::kAlternating ? plan->variants * kMeasuringPolicy.block_ns : 0;
  plan->budget_ns = std::max({plan->budget_ns, kMeasuringPolicy.min_budget_ns, blocks_ns});
}

void ExtendTimeout(double timeout, const RunCosts& costs, RunPlan* plan) {
  constexpr double kMargin = 4;  // beside busy processes a run takes up to three times as long
  plan->timeout_ns = std::max(timeout * 1e9, kMargin * ExpectedRunNs(*plan, costs));
}

int ChooseRuns(double min_time, double overhead) {
  const double affordable = min_time / std::max(overhead, 1e-6);
  const double runs = std::max(kMeasuringPolicy.start_up_share * affordable,
                               std::min(kMeasuringPolicy.max_start_up_share * affordable,
                                        static_cast<double>(stats::kManyRuns)));
  return static_cast<int>(
      std::clamp(runs, double{kMeasuringPolicy.min_runs}, double{kMeasuringPolicy.max_runs}));
}

int ChooseRunsFor(Schedule schedule, const RunCosts& costs, double min_time, double left_ns,
                  int variants) {
  const int runs = ChooseRuns(min_time, costs.sum_ns() * 1e-9);
  if (!IsSetupExpensive(costs, min_time) && costs.first_calls_ns == 0) {
    if (schedule != Schedule::kAlternating) return runs;
    const double with_blocks = left_ns / (costs.sum_ns() + variants * kMeasuringPolicy.block_ns);
    const int fitting = std::max(kMeasuringPolicy.fewest_runs, static_cast<int>(with_blocks));
    return std::min(runs, fitting);
  }
  const double affordable = left_ns / std::max(costs.sum_ns(), 1.0);
  return static_cast<int>(std::clamp(affordable, double{kMeasuringPolicy.fewest_runs},
                                     double{kMeasuringPolicy.min_runs}));
}

}  // namespace duetbench
