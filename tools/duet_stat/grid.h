#ifndef DUETBENCH_TOOLS_DUET_STAT_GRID_H_
#define DUETBENCH_TOOLS_DUET_STAT_GRID_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/duet_stat/input/times_csv.h"
#include "tools/duet_stat/options.h"
#include "tools/stats/rules/instances.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::duet_stat {

// Variability of the times of one benchmark, and the reliability of the rules for each number of
// machines (instances) and runs (trials).
struct GridBenchmark {
  std::string name;
  std::string error;  // why there is nothing more; else empty
  std::size_t instances = 0;
  std::size_t trials = 0;  // the fewest of an instance
  std::size_t times = 0;
  std::size_t dropped = 0;  // above ten times the median (Laaber et al., section 3.3)
  stats::Variability variability{};
  std::vector<stats::GridCell> cells;
};

struct GridResult {
  std::vector<GridBenchmark> benchmarks;
  std::vector<std::string> notices;
  std::vector<double> slowdowns;  // that were tried; empty without --mds
  double alpha = 0.05;
};

// The computation of --grid on the times of each benchmark.
GridResult EvaluateTimes(TimesData times, const Options& options);

// For each benchmark a table of false alarms in per cent, a row for each sampling and number of
// instances and trials and a column for each rule; with --mds another one of slow-downs.
std::string ConsoleText(const GridResult& result);

// A line for each cell:
//   benchmark,sampling,instances,trials,rule,resamplings,false_alarms,mds,paper_mds
std::string CsvText(const GridResult& result);

// {"notices", "benchmarks": [{"name", "error"?, "instances", "trials", "times", "dropped",
// "variation": {"total", "total_interval_width", "instances", "trials"}, "cells": [{"sampling",
// "instances", "trials", "rule", "resamplings", "false_alarms", "mds"?, "paper_mds"?,
// "detections"?}]}], "slowdowns"}. Variations and slow-downs are fractions, "inf" where none is
// found.
std::string JsonText(const GridResult& result);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_GRID_H_
