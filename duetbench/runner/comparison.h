#ifndef DUETBENCH_RUNNER_COMPARISON_H_
#define DUETBENCH_RUNNER_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/runner/counter_summary.h"
#include "duetbench/runner/gate.h"
#include "duetbench/runner/options.h"
#include "duetbench/runner/run_result.h"
#include "duetbench/stats/diagnosis.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/verdict.h"

namespace duetbench {

// What an experiment found out. Arrays are indexed by variant, 0 old and 1 new.
struct Comparison {
  RunError error;      // cause empty: none
  int error_run = -1;  // in which run (from 0)

  int runs_planned = 0;
  int runs = 0;                    // that are in the estimate
  double measuring_s = 0;          // measuring time that was planned for all runs
  double wall_s = 0;               // from the start of each process to its end, all together
  bool interrupted = false;        // by the user; what had been measured is reported
  bool this_process_only = false;  // one run, in this process: says nothing about the next one
  bool dry_run = false;            // one pair, and no estimate
  bool has_estimate = false;       // what follows is set
  stats::RatioInterval interval{};
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  double margin = 0;               // that the verdict was given with
  std::optional<GateResult> gate;  // of a benchmark that demands something
  Schedule schedule = Schedule::kDuet;

  double time_ns[2] = {0, 0};       // per operation: mean over the runs of their trimmed means
  double cpu_ns[2] = {0, 0};        // CPU time per operation
  uint64_t operations[2] = {0, 0};  // in all pairs
  uint64_t pairs = 0;               // in the estimate
  uint64_t dropped = 0;             // left out: preempted, migrated or without a time
  bool kept_disturbed = false;      // so many were disturbed that the preempted ones were kept
  double skew_p50_ns = 0;           // of |start of new - start of old|
  double skew_p99_ns = 0;
  double overlap_p50 = 0;  // part of the longer batch during which both ran
  uint64_t batch = 0;      // operations an iteration

  bool cpu_time = false;  // the ratio is that of CPU times, else of real times

  CounterSummary counters;    // events counted on either side
  VariantReport variants[2];  // counters are means over the runs
  std::vector<double> run_log_ratios;
  std::vector<stats::RunPairs> run_pairs;  // that are in the estimate, times per operation in ns
  std::vector<RunResult> results;          // all that was measured, run by run
  // What the pairs say about how it went; absent without an estimate.
  std::optional<stats::Diagnosis> diagnosis;
  std::vector<std::string> explanations;  // of the diagnosis, in words, the most important first
  std::vector<std::string> notices;       // in words, each once
};

// The look at an experiment that a comparison is made at (stats/looks.h).
struct Look {
  int number = 1;    // this one included
  double share = 1;  // of 1 - level; 1: the only look there is
  bool last = true;  // else no more than the interval and the gate are wanted
};

// The estimate from the runs' results: disturbed pairs are left out as pairs, each run becomes the
// trimmed mean of its log-ratios over the two assignments, the runs their t interval (of a single
// run in this process: the EWC interval). Pure. `results` are without errors, in order.
Comparison Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                     double ns_per_tick, const Look& look = {});

// One comparison of the repetitions of a benchmark, each of which has an estimate: the interval is
// that of the runs of all of them together, times are means. The diagnosis, counters, labels and
// results stay empty. Pure.
Comparison PoolRepetitions(const std::vector<const Comparison*>& repetitions);

// What a dry run leaves: the times of its one pair, as they are, and no estimate. `result` is
// without error. Pure.
Comparison SummarizeDryRun(RunResult result, const ExperimentOptions& options, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_COMPARISON_H_
