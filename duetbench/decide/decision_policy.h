#ifndef DUETBENCH_DECIDE_DECISION_POLICY_H_
#define DUETBENCH_DECIDE_DECISION_POLICY_H_

#include <cstddef>

namespace duetbench::stats {

// Every tuned constant between the pairs of the runs and the verdict. 'VM': a cloud machine with 2
// virtual CPUs, AMD EPYC. 'simulated': a test with fixed seeds prints the figures. 'chosen': a
// reason, but no measurement.
struct DecisionConstants {
  // --- Which pairs and runs count (select_pairs.h, pairs.h) ---

  // Share of the timed pairs. Above it, disturbed pairs are used, since those that are left are no
  // fair sample. Chosen: the majority.
  double max_disturbed_share = 0.5;
  // Share of the disturbed pairs whose times on the CPU are known; below it, no verdict. Chosen.
  double min_corrected_share = 0.9;
  // Runs that lost all pairs of one assignment are left out where whole ones are at least this many
  // times as many. Chosen.
  int whole_runs_per_one_sided = 3;

  // --- The value of a run (robust.h, run_value.h, interval.h) ---

  // Share of the log-ratios of a stratum that is dropped at each end. VM, 2026-11-24, 162 A/A
  // experiments by `duet_lab aa`, quiet and beside a busy process: runs spread 0.86 times as much
  // as with 0.1 (concurrent), 0.67 times (interleaved).
  double trim = 0.25;
  // Batches of consecutive pairs that give the variance within a run, and the fewest pairs. Chosen:
  // 15 degrees of freedom, and neighbors are correlated.
  std::size_t batches_of_run = 16;
  std::size_t min_pairs_of_variance = 16;

  // --- The mean of the runs (robust_mean.h, run_value.h) ---

  // A value is far off from this many robust standard deviations on. One of that many runs may be
  // far off. Simulated: a smaller number cuts skewed values; runs of which one in twenty is 30 %
  // off have at most one in twelve of 18 to 40 such runs in three of four experiments, those of a
  // layout in eight in one of four.
  double far_off = 8;
  std::size_t runs_for_one_far_off = 12;
  // The middle half decides if its interval is narrower than that of all by this factor, and the
  // two means differ by no more standard errors than that. Simulated: with normal values the mean
  // of all decides, with tails as those of t with 3 degrees of freedom that of the middle half.
  double width_to_trim = 0.7;
  double errors_of_skew = 1.3;
  // Fewer values cannot tell a correlation, and larger ones are no other than a trend. Chosen.
  std::size_t min_values_of_lag1 = 8;
  double largest_lag1 = 0.8;
  // p of the F test that makes layouts decide in place of runs. Simulated: from 1 to 25 % the
  // coverage changes by 0.5 % at most.
  double layout_alpha = 0.05;
  // Layouts, at least. Chosen: two degrees of freedom.
  std::size_t min_layouts = 3;
  // Part of the variance between runs that their pairs explain, at most, where addresses decide.
  // Chosen.
  double part_within_runs = 0.25;

  // --- The state of the core (run_value.h) ---

  // Part by which the probe is slower if somebody else executes on the core: before a sample than
  // before the fastest ones of the same variant and run (this quantile), or in a run than in the
  // fastest one. VM, 2026-11-27 (Zen 4): on an idle core 98 % of the probes were within 2 % of each
  // other, beside another guest they took 1.9 times as long.
  double slow_core = 0.1;
  double fastest_samples = 0.1;
  // Share of the pairs of a run, at least, that are left. Chosen: their mean is then no more than
  // twice as uncertain as that of all.
  double min_share_of_quiet_pairs = 0.25;
  // Runs, at least, that are left. Beside a guest that had the core for most of the time, eight
  // experiments of 1 s of each of 29 pairs of `duet_lab replicate`, spread over 5 minutes: with 5,
  // 3 and 2 runs 87, 92 and 94 % of the intervals of one half of the pairs are consistent with the
  // others of their pair, 93, 93 and 94 % of the other half; widths 1, 0.98 and 1.08, since two
  // runs say nothing (VM, Zen 4, 2026-11-30). With the rule 'a tenth slower than the median, no
  // more than half, eight left' intervals were 1.28 times as wide as with the fastest run and five
  // left, and ratios differed 1.4 times as much between programs (28 pairs, 2026-11-28).
  std::size_t min_runs_on_quiet_core = 3;

  // --- Interim analyses (interval.h, where the simulation of the design is) ---

  // Share of 1 - level kept for the final analysis.
  double final_share = 0.5;
  // Runs of the first analysis.
  int first_runs = 5;
  // Analyses that have equal shares of the rest.
  int equal_shares = 11;

  // --- How long deciding would take (comparison_format.h, stopping_rule.h) ---

  // Intervals are to be narrower by this factor than the width that decides. The next ratio is
  // another one: with exactly that width, half of the experiments would decide. With 99 % intervals
  // (2.6 standard errors) 0.84 standard errors of room make it 80 %.
  double room_to_decide = 1.33;

  // --- Few runs (interval.h) ---

  // Runs that see a mode of one process in ten with 85 %: 1 - 0.9^18.
  std::size_t many_runs = 18;
  // Standard deviation of the log-ratios of fewer runs, at least. VM, 2026-11-22: runs of a
  // function against itself spread by 0.0005 (a loop in registers), 0.001 (a sort), 0.003 (a walk
  // through 4 MiB).
  double min_spread = 0.001;
  // A gate passes before many_runs only if the ratio is within the limit by this many min_spreads:
  // 1.6 %. Chosen.
  double spreads_to_pass = 16;
  // Half-width of any interval of several runs, at least, as a logarithm. Chosen: of a sample of 60
  // us it is 6 ns, what starting and stopping the clock may take longer beside one variant.
  double least_half_width = 1e-4;

  // --- The ratio of total times (total_ratio.h) ---

  // Probability of 'differs' without a reason. Chosen: it adds to the intervals that miss.
  double tail_alpha = 0.003;
  // Runs of a t test, at least.
  std::size_t min_runs_of_test = 3;
  // A difference of typical and total ratio below this part of the margin does not matter. Chosen.
  double notable_part = 0.2;
  // Times above this multiple of the median are single events. Chosen.
  double event_factor = 3;
  // Typical and total ratio that lie further apart leave the total open. VM, 2026-11-23: in A/A
  // comparisons of functions without slow calls they lie within 2 %.
  double max_without_tails = 0.05;

  // --- Gates (decision.h) ---

  // Gates in a suite in which a FAIL that ended the measuring survives Holm's correction. Chosen.
  double largest_suite = 1000;
};

inline constexpr DecisionConstants kDecision;

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_DECISION_POLICY_H_
