#ifndef DUETBENCH_RECORD_MEASURING_POLICY_H_
#define DUETBENCH_RECORD_MEASURING_POLICY_H_

#include <cstddef>
#include <cstdint>

namespace duetbench {

// The tuned numbers of the policy that decides how an experiment measures (policy.h): how many
// runs, how long they are, which schedule, and when it changes. Each with its unit, its meaning and
// its source: the measurement that it comes from, with the date and the machine as far as they are
// known, or 'chosen'. Measurements without another machine: a cloud VM with two CPUs. Shares are
// parts of 1.
struct MeasuringPolicy {
  // ---- The number of runs (experiment_plan.h).

  // Runs, where the number is chosen: the fewest and the most.
  // Source: seven workloads of samples/same within the same second, 2026-11-24: the intervals of 24
  // concurrent runs were 0.54 times, those of 24 interleaved ones 0.76 times as wide as those of 10
  // runs; 40 gained nothing more.
  int min_runs = 10;
  int max_runs = 40;
  // Runs, where set-ups would take more time than there is. Source: they are the first that may
  // decide a gate (decide/interval.h).
  int fewest_runs = 5;
  // Share of the time that starts, set-ups and warm-ups may take. Source: as min_runs.
  double start_up_share = 0.2;
  // The same for runs up to stats::kManyRuns, which need no assumed least spread. Source: nine
  // workloads on a machine where a process takes 13 ms to start, 2026-11-24: the intervals of 18
  // runs were 0.18 times as wide as those of 10 to 12; beside a busy process a share of 0.4 left
  // 17 runs.
  double max_start_up_share = 0.5;
  // Wall time of an experiment, as a multiple of what was planned: from then on the fewest runs are
  // enough. Source: chosen; beside two busy processes runs take twice as long.
  double max_times_planned = 3;
  // Share of the time that is left for measuring, whatever pilots took. Source: chosen.
  double min_measuring_share = 0.25;
  // Share of the time of starts and set-ups that measuring takes at least, within the whole time:
  // where set-ups take longer than that, runs are longer. Source: chosen; a quarter more time, for
  // four times as many pairs.
  double measuring_share_of_set_ups = 0.25;

  // ---- A run (experiment_plan.h).

  // Share of the whole time, beyond which set-ups are expensive. Source: chosen.
  double set_up_share = 0.25;
  // Share of the whole time that a pilot may take beyond its samples and set-ups; more counts as
  // first iterations that are expensive. Source: chosen.
  double unexplained_share_of_pilot = 0.1;
  // Samples of the final length that a calibration takes no longer than, its growing batches
  // included. Source: chosen; batches grow tenfold, and two or three confirm the last one.
  double samples_of_calibration = 6;
  // Steps of the clock in a sample: its error is then 0.1 %. Source: chosen.
  double clocks_per_batch = 1000;
  // ns, the shortest sample of the faster variant. Source: functions of samples/same.cc against
  // themselves, three tries by turns, Intel Xeon VM (Sapphire Rapids), 2026-11-30: intervals of ten
  // were 1.8 times as wide with 10 us, those of seven 1.4 times with 200 us.
  double min_batch_ns = 50e3;
  // Steps of the clock in a single call whose quantiles are wanted. Source: the clock then adds at
  // most 5 %, to both variants alike.
  double clocks_per_call = 20;
  // From the start of a program to its benchmark and back. Above it, runs are forks of one start:
  // five starts would take 2.5 s, more than twice the time of a duet. Chosen.
  double expensive_start_ns = 0.5e9;
  // ns, the shortest measuring time of a run. Source: some of its pairs are undisturbed beside a
  // busy process, too.
  double min_budget_ns = 2e6;
  // s, the least and the most that a variant may report of an iteration with SetIterationTime,
  // besides 0. Source: chosen; no clock resolves a femtosecond, and nobody waits for 30 years.
  double min_manual_s = 1e-15;
  double max_manual_s = 1e9;
  // ns that a sample of a dry run is said to take: it has no warm-up and discards no pair. Source:
  // any long time.
  double no_warm_up_ns = 1e9;
  // Share of a run's measuring time in which one variant at a time runs solo. Source: chosen.
  double solo_share = 0.1;

  // ---- Blocks of one variant (pacing.h, kAlternating).

  // ns, the time after the other variant ran in which an iteration does not yet take what it takes
  // later: it is not measured. Source: time per iteration by the time since the switch, blocks of
  // 60 ms, eight pairs of `duet_lab replicate`, AMD Zen 3 VM, 2026-11-25: code that learns branches
  // takes 1.5 to 2.4 times as long at first and reaches its last value after 6 to 13 ms, a sum over
  // 20 KB after 3 to 6 ms, a sort after 3 ms, hash maps and locks within 0.2 ms.
  double transient_ns = 10e6;
  // ns, the shortest block. Source: half of it is measured. In blocks of 5 ms one of 30 pairs of
  // duet_lab had the wrong verdict, as in short turns: std_map_vs_btree_map 0.62 in place of 2.2
  // (AMD Zen 4 VM, 2026-11-27). With 19 ms of each block measured the intervals of 26 pairs
  // were 1.05 times as wide, with 9 of 10 ms 0.94 times, and two ratios 6 and 9 % off (2026-11-30).
  double block_ns = 20e6;

  // ---- The calibration (calibration.h).

  // Share of the whole time of the calibration, and the most in ns. Source: chosen.
  double calibration_share = 0.025;
  double max_calibration_ns = 50e6;
  // Share of the whole time of each variant's longest calls, and of its part in the long runs, with
  // which short ones are compared. Source: chosen, a quarter more than the fewest runs can have; a
  // slow part that begins in the first 10 % of the time is seen.
  double share_of_longest_call = 0.125;
  // ns, the longest run that only looks for threads that variants start. Source: chosen.
  double max_watch_ns = 10e6;
  // Share of the time of a run, without its warm-up, that is undisturbed samples if it did not wait
  // for a CPU. Source: 0.68 to 0.77 of runs in blocks on a quiet machine; beside one busy process
  // 0.53 to 0.62 (two of nine 0.24 and 0.40), beside four 0.05 to 0.21 (AMD Zen 4 VM, 2026-11-27).
  // Where four processes were busy in the first half second, 9 of 24 measurements read 0.75 in
  // place of 2.5 when runs that waited counted (std_map_vs_btree_map of duet_lab, same machine).
  double min_undisturbed_share = 0.5;
  // Ratio of times, up to which variants are alike: what turns leave cold slows them down alike.
  // Source: random updates of 4 MiB took 2.6 times as long as those of 16 KiB as a duet, and 1.2 in
  // truth (samples/caches, 2026-11-25).
  double max_ratio_of_alike = 1.1;
  // ln of the time of a variant in short turns over that in a block, up to which turns are its
  // steady state. Source: ten kernels, an Intel Xeon VM, 2026-11-29: 0.09 to 0.30 of hash look-ups
  // of 4096 keys, which learn branches (0.98 in turns, 1.07 in truth); of nine others, whose ratio
  // turns do not change, at most 0.05, once 0.08.
  double max_slower_in_turns = 0.1;
  // The same of one run, and of runs that share a CPU over the blocks of runs before them, between
  // which the machine changes more. Source: twelve workloads of duet_lab, AMD Zen 4 VM, 2026-11-29:
  // 0.38 to 0.45 of look-ups in a map and an interpreter, at most 0.19 of the others. Of four
  // kernels that share a CPU with themselves plus a tenth, binary searches, which learn branches,
  // take 2.2 to 2.5 times as long, and their ratio is 1.32 in place of 1.14; sorts, hash look-ups
  // and a walk through 1 MiB 0.99 to 1.04 times, with a ratio that differs by 0.01 at most and
  // spreads a fifth to a fortieth as much as that of blocks.
  double max_slower_in_one_run = 0.2;
  // The same for the calibration of a group, which has one block of each variant. Source: the
  // blocks of eight identical variants differed by a factor of up to 1.8.
  double max_ratio_of_alike_blocks = 2;

  // ---- Looks at the runs that measure (policy.h).

  // Runs after which drift and disturbance are looked for, besides the end. Source: chosen.
  size_t looks[3] = {4, 8, 16};
  // Difference between the ratio in the first part of a long run, as long as a short run, and in
  // the rest, up to which short runs are taken. Source: chosen, the error that is allowed.
  double max_head_effect = 0.02;
  // The same, from which it need not be beyond noise in the last of `most_unclear_heads` runs.
  // Source: chosen; three effects of 3, 3 and 1.05 times are no t test's.
  double large_head_effect = 0.05;
  // Shares of a long run whose ratio may be that of all of it: runs of a new schedule, for which
  // the time begins anew, are as long as the first one that is. Source: chosen.
  double shares_of_long_runs[2] = {0.25, 0.5};
  // Long runs after which an effect of their heads that is not beyond noise is none; and p of the
  // one-sided t test over these runs. Source: chosen.
  size_t most_unclear_heads = 3;
  double head_alpha = 0.05;
  // Length of a long run over that of a short one, from which they are compared. Source: chosen.
  double min_times_as_long = 2;

  // ---- Variants that disturb each other (mutual_disturbance.h).

  // p of the t test over runs. Source: chosen.
  double disturbance_alpha = 0.001;

  // ---- Work that the compiler removed (empty_comparison.h).

  // Measured samples of which one is compared with empty loops. Source: chosen.
  uint64_t samples_per_empty_comparison = 4;
  // Times of an empty iteration from which a sample surely has work, and no more are compared.
  // Source: chosen.
  double far_from_empty = 4;

  // ---- Iterations that are not alike (notice.h, stationarity.h).

  // Times of a usual iteration that the first one takes, from which it is told. Source: chosen.
  double slow_first_iteration = 3;
  // ns that a first iteration may take more because of cold caches; and more for each page fault.
  // Source: chosen, ten times what a fault takes.
  double cold_start_ns = 200e3;
  double cold_fault_ns = 4e3;
  // Part by which the iterations of one variant may be slower than those of the first sample of a
  // run before it is told. Source: chosen; clock rates fall by less under load.
  double slowing_down_since_first = 0.5;
  // Time of the pauses of a variant over that of its work, from which there is no verdict. Source:
  // of three tries each with two pauses in 8.6 ns of work (AMD EPYC, Zen 3), which take 80 ns, the
  // ratio to the same work without pauses was 1.32, 0.84 and 0.49; in 350 ns 1.03, 1.00 and 0.97.
  double notable_pause_share = 1;

  // ---- Changes within runs (stationarity.h, notice.h).

  // p of the t test over runs. Source: chosen.
  double drift_alpha = 0.001;
  // Runs that suffice. Source: chosen.
  size_t min_runs_of_drift = 3;

  // ---- The explanation of a verdict (record/explanation.h).

  // Runs, and ns of each: with their starts 1 s. Source: chosen, an explanation shall take 2 s.
  int explaining_runs = 8;
  double explaining_run_ns = 75e6;
  // ns between the moments at which the stack of a variant is recorded, in the mean. A moment takes
  // about 5 us. Source: chosen, 2 % of the time.
  double stack_interval_ns = 250e3;
  // ns of an iteration that Callgrind counts for an explanation, and for a gate on its counts; it
  // takes 50 times as long. Source: chosen, two of them in 1 and 5 s.
  double longest_counted_ns = 10e6;
  double longest_gated_ns = 50e6;

  // Share of the margin of EQUAL: a drift or a disturbance below this share does not change a
  // verdict. Source: half of it leaves half for noise.
  double notable_share_of_margin = 0.5;
};

inline constexpr MeasuringPolicy kMeasuringPolicy;

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_MEASURING_POLICY_H_
