// The share of intervals that contain the truth, by simulation with fixed seeds: the promise of
// every interval kind, measured. Prints the table that the documentation quotes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/statistical/noise_model.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/method_names.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kIterations = 100;

// Numbers of experiments, to which the cost of a cell of the table is proportional. The binomial
// standard error of a coverage of 95 / 99 % is 0.22 / 0.10 points from 10,000 experiments, 0.40 /
// 0.18 from 3000, and 0.77 / 0.35 from 800.
int ExperimentsOf(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::kT:
      return 10000;
    case IntervalKind::kHierarchical:
      return 800;
    default:
      return 3000;
  }
}

constexpr std::size_t kReplicates = 999;

class Coverage {
 public:
  void Add(const RatioInterval& interval, double truth) {
    ++experiments_;
    if (interval.lo <= std::exp(truth) && std::exp(truth) <= interval.hi) ++covered_;
  }
  double Percent() const { return 100 * covered_ / experiments_; }

 private:
  double experiments_ = 0;
  double covered_ = 0;
};

struct Cell {
  Coverage at95;
  Coverage at99;
};

std::string Name(IntervalKind kind, Estimator estimator) {
  return absl::StrCat(NameOf(kIntervalKinds, kind), "/", NameOf(kEstimators, estimator));
}

struct Row {
  IntervalKind kind;
  Estimator estimator;
};

// The interval at several levels, from one set of replicates where there are any that cost.
std::vector<RatioInterval> IntervalsAt(const std::vector<double>& levels,
                                       const std::vector<RunPairs>& runs,
                                       const std::vector<double>& log_ratios, const Row& row,
                                       std::uint64_t seed) {
  std::vector<RatioInterval> intervals;
  if (row.kind == IntervalKind::kHierarchical) {
    std::vector<std::vector<double>> of_pairs;
    for (const RunPairs& run : runs) of_pairs.push_back(LogRatios(run));
    const std::vector<double> replicates =
        HierarchicalReplicates(of_pairs, {}, {kReplicates, seed});
    for (double level : levels) {
      const Ends ends = PercentileEnds(replicates, level);
      intervals.push_back({1, std::exp(ends.lo), std::exp(ends.hi), level, row.kind, ""});
    }
    return intervals;
  }
  IntervalOptions options;
  options.kind = row.kind;
  options.resampling = {kReplicates, seed};
  for (double level : levels) {
    options.level = level;
    intervals.push_back(IntervalOfRuns(log_ratios, options).value());
  }
  return intervals;
}

// Coverage of each row in experiments of `run_count` runs.
std::map<std::string, Cell> Measure(const NoiseModel& model, std::size_t run_count,
                                    const std::vector<Row>& rows) {
  std::map<std::string, Cell> cells;
  int most = 0;
  for (const Row& row : rows) most = std::max(most, ExperimentsOf(row.kind));
  for (int experiment = 0; experiment < most; ++experiment) {
    const auto seed = static_cast<std::uint64_t>(experiment);
    Random random(seed, 1000 * run_count + static_cast<std::uint64_t>(model.name[0]));
    std::vector<RunPairs> runs;
    for (std::size_t r = 0; r < run_count; ++r) {
      runs.push_back(Simulate(model, kIterations, random).pairs);
    }
    std::map<Estimator, std::vector<double>> log_ratios;
    for (const Row& row : rows) {
      if (experiment >= ExperimentsOf(row.kind)) continue;
      std::vector<double>& values = log_ratios[row.estimator];
      if (values.empty()) values = RunLogRatios(runs, row.estimator).value();
      const std::vector<RatioInterval> intervals =
          IntervalsAt({0.95, 0.99}, runs, values, row, seed);
      Cell& cell = cells[Name(row.kind, row.estimator)];
      cell.at95.Add(intervals[0], model.Truth());
      cell.at99.Add(intervals[1], model.Truth());
    }
  }
  return cells;
}

void PrintCell(const NoiseModel& model, std::size_t runs, std::size_t iterations,
               const std::string& row, const Cell& cell) {
  std::printf("[ COVERAGE ] model %s  R %3zu  I %4zu  %-20s %5.1f / %5.1f\n", model.name, runs,
              iterations, row.c_str(), cell.at95.Percent(), cell.at99.Percent());
}

class CoverageOf : public testing::TestWithParam<NoiseModel (*)()> {};

INSTANTIATE_TEST_SUITE_P(Models, CoverageOf, testing::Values(ModelA, ModelB, ModelC, ModelD),
                         [](const auto& info) { return std::string(info.param().name); });

TEST_P(CoverageOf, IntervalsOfSeveralRuns) {
  const NoiseModel model = GetParam()();
  const std::string name = model.name;
  const std::vector<Row> rows = {{IntervalKind::kT, Estimator::kTrimmed},
                                 {IntervalKind::kT, Estimator::kGeomean},
                                 {IntervalKind::kPercentile, Estimator::kTrimmed},
                                 {IntervalKind::kHierarchical, Estimator::kGeomean}};
  for (std::size_t runs : {5u, 10u, 30u}) {
    const std::map<std::string, Cell> cells = Measure(model, runs, rows);
    for (const Row& row : rows) {
      const std::string row_name = Name(row.kind, row.estimator);
      PrintCell(model, runs, kIterations, row_name, cells.at(row_name));
    }
    for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean}) {
      const Cell& t = cells.at(Name(IntervalKind::kT, estimator));
      if (name == "C") {
        EXPECT_GE(t.at95.Percent(), 93) << runs;
        EXPECT_GE(t.at99.Percent(), 98) << runs;
      } else {
        EXPECT_NEAR(t.at95.Percent(), 95, 1) << runs;
        EXPECT_NEAR(t.at99.Percent(), 99, 0.5) << runs;
      }
    }
  }
}

// Intervals that NarrownessWarning lets pass keep what it promises, and those of half as many runs
// do not.
TEST(Narrowness, WarnsWhereTheSimulationFallsShort) {
  const std::vector<Row> rows = {{IntervalKind::kPercentile, Estimator::kTrimmed},
                                 {IntervalKind::kHierarchical, Estimator::kGeomean}};
  for (const std::size_t runs : {10u, 20u, 30u, 50u}) {
    const std::map<std::string, Cell> cells = Measure(ModelB(), runs, rows);
    for (const Row& row : rows) {
      const Cell& cell = cells.at(Name(row.kind, row.estimator));
      PrintCell(ModelB(), runs, kIterations, Name(row.kind, row.estimator), cell);
      for (const auto& [level, measured, promised] :
           {std::tuple(0.95, cell.at95, 93.0), {0.99, cell.at99, 98.0}}) {
        // 3.5 standard errors.
        const double error = 3.5 * std::sqrt(promised * (100 - promised) / ExperimentsOf(row.kind));
        if (NarrownessWarning(row.kind, runs).empty()) {
          EXPECT_GE(measured.Percent(), promised - error) << NameOf(kIntervalKinds, row.kind);
        } else if (!NarrownessWarning(row.kind, 2 * runs).empty()) {
          EXPECT_LT(measured.Percent(), promised + error) << NameOf(kIntervalKinds, row.kind);
        }
      }
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
