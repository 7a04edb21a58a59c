#ifndef DUETBENCH_RECORD_PLAN_H_
#define DUETBENCH_RECORD_PLAN_H_

#include <cstdint>

#include "duetbench/platform/event.h"
#include "duetbench/record/schedule.h"

namespace duetbench {

inline constexpr int kMaxVariants = 8;

// Everything that one run must know, decided before it starts. Trivially copyable: it travels to
// the process that executes the run as it is, since that is the same executable.
struct RunPlan {
  uint64_t seed = 0;  // of the experiment; with `run` it fixes every random choice
  uint32_t run = 0;   // 0 … R-1
  Schedule schedule = Schedule::kDuet;
  // Variants of the run, 2 to kMaxVariants. More than two are a group, with a schedule on one CPU.
  uint32_t variants = 2;
  uint32_t fill = 0;  // 1: the faster variant executes untimed iterations until the other is done
  int32_t cpus[2] = {-1, -1};  // the same twice unless RunsConcurrently; -1: not pinned
  // With a schedule on one CPU: another one, which is used instead if it is idler when the run
  // begins; -1: none.
  int32_t other_cpu = -1;
  // CPUs that a variant and the threads that it starts may use: 1; kAllCpus, all allowed ones, and
  // `cpus` are -1; or a number, the same ones for both variants (FirstCpus). If it is not 1, the
  // variants take turns.
  int32_t cpus_per_variant = 1;
  uint32_t watch_threads = 0;  // 1: RunResult::started_threads is wanted
  // 1: each loop is executed by a process that the process of the run forks (duet_run.h); 0: by a
  // thread of that process.
  uint32_t in_processes = 0;
  double ns_per_tick = 1;  // of this machine's clock (ticks.h)

  // Iterations per sample, and the length of such a sample, with `calls` from the opening of a pair
  // to that of the next; 0: to be calibrated at the start of the run.
  uint64_t batch = 0;
  double sample_ns = 0;
  double min_batch_ns = 50'000;  // what calibration aims at, for the faster variant
  double resolution_ns = 0;      // of the clock: the larger of its step and its overhead

  // The number of iterations that each variant executes after its set-up, exactly: samples
  // are then parts of this number, and time ends nothing. 0: as many as the time allows.
  uint64_t fixed_iterations = 0;

  double budget_ns = 0;   // measuring time of this run; 0: calibration only
  double warm_up_ns = 0;  // at the start of the run, over and above the shortest
  // 1: blocks of the faster variant have as many iterations as those of the other one, and turns on
  // a CPU have as many samples as their time has room for, however long they wait for the CPU (up
  // to three times as long); 0: they take as long.
  uint32_t same_iterations = 0;
  uint32_t is_pilot = 0;  // 1: where a sample takes longer than the budget, none is measured
  // Part of the budget in which one variant at a time runs solo, for milliseconds, to see whether
  // the variants disturb each other.
  double solo_share = 0;
  uint32_t one_pair = 0;  // 1: the run ends after a measured pair, before its time
  double timeout_ns = 0;  // the run reports what it is stuck in after this time; 0: never
  // A run that takes longer than that is not stuck, but too expensive (RunResult::out_of_time).
  bool is_limited = false;
  // 1: nothing is timed; the variants are compared (check_equal.h), each with one iteration.
  uint32_t check_equal = 0;
  // 1: a variant is called anew for each sample (google_benchmark_loop.h); both meet once more
  // where their loops begin.
  uint32_t calls = 0;
  uint32_t manual_time = 0;  // 1: the variants report their times with SetIterationTime

  // Mean time between the moments at which the stack of a variant is recorded
  // (measure/stack_sampler.h); 0: never.
  double stack_interval_ns = 0;

  // Events to count for both variants (event_counting.h).
  uint32_t events = 0;
  EventCode event_codes[kMaxEvents];
};

inline bool IsGroup(const RunPlan& plan) { return plan.variants > 2; }
// Measuring loops, one for each variant, that share a CPU and its controller.
inline int LoopsOfCpu(const RunPlan& plan) {
  return RunsConcurrently(plan.schedule) ? 1 : static_cast<int>(plan.variants);
}

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_PLAN_H_
