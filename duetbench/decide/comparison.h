#ifndef DUETBENCH_DECIDE_COMPARISON_H_
#define DUETBENCH_DECIDE_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/counter_summary.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/mutual_disturbance.h"
#include "duetbench/decide/notice.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/decide/quantile_ratio.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/explanation.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"
#include "duetbench/record/variant_pair.h"

namespace duetbench {

// Where the wall time of an experiment went, in nanoseconds. Where variants run on two CPUs at the
// same time, a nanosecond in which one of them is idle counts half as waiting.
struct TimeAccount {
  double wall_ns = 0;    // from the start of each process to its end
  double pilots_ns = 0;  // processes that calibrate, or were given up
  // Times of the other processes:
  double start_ns = 0;       // start and end
  double set_up_ns = 0;      // of the variants
  double unmeasured_ns = 0;  // samples of calibration and warm-up, and after swaps
  double solo_ns = 0;        // samples that only show whether the variants disturb each other
  double dropped_ns = 0;     // samples of disturbed pairs
  double kept_ns = 0;        // samples of undisturbed pairs

  // Around the loops of variants that are called anew for each sample, in set-up and tear-down; and
  // in the pauses of samples, except while the other variant's samples had the CPU.
  double call_set_ups_ns = 0;

  // The rest: for the partner, for a CPU, for the other variant's turn to end.
  double waiting_ns() const {
    return wall_ns - pilots_ns - start_ns - set_up_ns - call_set_ups_ns - unmeasured_ns - solo_ns -
           dropped_ns - kept_ns;
  }

  // A run with that plan. Where variants report their time themselves, what its samples took is not
  // known (NaN).
  void AddRun(const RunResult& result, const RunPlan& plan);

  // All runs so far are counted as pilots.
  void EndPilots();
};

// Which variant of a group is the fastest, and how much longer the others take. The intervals are
// simultaneous over all pairs of variants: the truly fastest one is `fastest` or one of those that
// tie, with the level of the intervals.
struct Ranking {
  struct Place {
    std::string name;
    stats::RatioInterval of_fastest{};  // its time : that of the fastest

    // Nothing proves that it takes longer.
    bool ties() const { return of_fastest.lo <= 1; }
  };
  std::string fastest;
  std::string unknown;        // why there is no fastest: some ratio decides nothing; else empty
  std::vector<Place> others;  // in the order of their ratios
  double margin = 0;          // a tie within it is one of EQUAL variants
};

// `pairs` are those of the variants `names`, as PairsOfGroup has them. Each spends an equal part
// of `share` (stats::Decide).
Ranking RankVariants(absl::Span<const stats::DecisionInput> pairs,
                     const std::vector<std::string>& names, const ExperimentOptions& options,
                     double share);

// Arrays in this file are indexed by variant, 0 old and 1 new.

// Why an experiment has no result.
struct Failure {
  RunError error;  // its cause is empty: the experiment did not fail
  int run = -1;    // in which it happened, from 0; -1: in none
  // Nothing was to be measured: old and new are the same program (tools/duet). error.skipped.
  bool unchanged = false;
  // --duet_budget was over before the first of its runs had ended. error.skipped.
  bool out_of_time = false;
};

// Result of an experiment: exactly one of a failure, a dry run and a ratio new/old. The fields
// of the other two are 0 or empty.
struct Comparison : UsedPairs, stats::Decision {
  Failure failure;
  // One pair of one iteration each, to see that the variants work. It says nothing about the ratio.
  bool is_dry_run = false;
  double wall_s = 0;               // from the start of each process to its end, all together
  std::vector<Notice> notices;     // each once
  std::vector<RunResult> results;  // all that was measured, run by run
  bool cpu_time = false;           // the ratio of these pairs is of CPU times, else of real times
  bool within_budget = false;      // of a suite (ExperimentOptions::until_verdict)
  Explanation explanation;         // of the verdict, if it was wanted
  VariantNames names;              // of the functions, for sentences
  std::optional<Ranking> ranking;  // of its group; one comparison of each has it
  bool has_gate = false;           // one was demanded, whatever became of it

  // Measurements of both variants, and how they were made: not of a failure. The times of a ratio
  // share the interference that hit one variant alone between both: their quotient is the ratio
  // that decides.
  Schedule schedule = Schedule::kDuet;
  uint64_t batch = 0;                       // iterations of a sample
  int runs = 0;                             // with pairs that are used
  VariantReport variants[2];                // counters are means over the runs
  std::vector<CounterComparison> counters;  // events counted for both variants

  // Only a ratio has these:
  std::vector<stats::RunValue> run_values;      // what the decision was made of
  std::vector<stats::QuantileRatio> quantiles;  // of single calls (--duet_quantiles)
  std::vector<stats::RunPairs> run_pairs;       // used pairs, times per iteration in ns

  int threads = 0;  // ExperimentOptions::threads
  int runs_planned = 0;
  bool interrupted = false;  // by the user: fewer runs than planned
  double measuring_s = 0;    // measuring time planned for the runs

  // Nothing where the schedule does not show it. Where the variants disturb each other, it is what
  // was found before the experiment went on with one variant at a time.
  std::optional<MutualDisturbance> mutual_disturbance;
  // For the threads that a variant starts. If it is not 1, the variants took turns; kAllCpus: all.
  int cpus_per_variant = 1;
  std::string schedule_reason;  // why this schedule was chosen; empty: it was demanded
  TimeAccount time;

  std::vector<stats::GateResult> gates;
  int analyses = 1;         // of the runs, until the gates were decided
  bool time_spent = false;  // gates were not decided when --duet_max_time was over

  bool has_failed() const { return !failure.error.cause.empty(); }
  bool has_ratio() const { return !has_failed() && !is_dry_run; }
  // It failed, and its variants did not ask not to be measured.
  bool is_error() const { return has_failed() && !failure.error.skipped; }
  // The gate on times; null: there is none.
  const stats::GateResult* time_gate() const {
    for (const stats::GateResult& gate : gates) {
      if (gate.spec.metric.is_time()) return &gate;
    }
    return nullptr;
  }
  // Why the gate on times or, without one, the verdict is undecided.
  stats::Why why_undecided() const { return time_gate() != nullptr ? time_gate()->why : why; }
  // Leaves what is reported of the pairs: those of a long suite would fill the memory.
  void DropPairs() {
    results.clear();
    run_pairs.clear();
  }
};

// A comparison that failed before there was a run.
Comparison FailedComparison(std::string cause);

// One that was not measured, as old and new are the same program.
Comparison UnchangedComparison();

// A comparison that --duet_budget had no time for. `run_s`: a run was ended after that time; 0:
// none.
Comparison OutOfTimeComparison(double run_s = 0);

// From the pairs of runs to the ratio. Pure functions.

// The ratio from the runs' results, or the failure that there is none. `results` are without
// errors, in order. `share` is that of the final analysis. `measured_together`:
// stats::Reservations has it.
Comparison Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                     double ns_per_tick, double share = 1, bool measured_together = false);

// Result of a dry run: the raw times of its one pair. `result` is without error.
Comparison SummarizeDryRun(RunResult result, const ExperimentOptions& options, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_COMPARISON_H_
