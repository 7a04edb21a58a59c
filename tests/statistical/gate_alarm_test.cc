// How often a gate that is measured until it is decided is wrong, and what a decision takes, by
// simulation with fixed seeds. Prints the figures.

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "duetbench/gates/gate.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interim_analysis.h"
#include "gtest/gtest.h"
#include "tests/statistical/noise_model.h"

namespace duetbench {
namespace {

constexpr double kLevel = 0.99;
constexpr int kMaxRuns = 300;  // what 10 s are enough for
constexpr std::size_t kPairs = 50;

struct Decision {
  GateOutcome outcome;
  int runs;
};

// As gates/interim_analyses.h decides, with runs in place of time.
Decision Decide(const std::vector<double>& log_ratios, const GateSpec& spec) {
  const auto at = [&](int runs, double share) {
    const absl::Span<const double> so_far(log_ratios.data(), static_cast<std::size_t>(runs));
    GateResult gate;
    gate.outcome = Judge(spec, *stats::AnalysisInterval(so_far, kLevel, share));
    gate.p = stats::AnalysisPValue(so_far, spec.lo(), spec.hi(), share);
    return gate;
  };
  for (int k = 0; stats::AnalysisRuns(k) < kMaxRuns; ++k) {
    const GateResult gate = at(stats::AnalysisRuns(k), stats::AnalysisShare(k));
    if (EndsMeasuring(gate.outcome, gate.p, kLevel)) return {gate.outcome, stats::AnalysisRuns(k)};
  }
  return {at(kMaxRuns, stats::kFinalAnalysisShare).outcome, kMaxRuns};
}

struct Counts {
  int experiments = 0;
  int passed = 0;
  int failed = 0;
  std::vector<int> runs;

  double MedianRuns() {
    std::nth_element(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2),
                     runs.end());
    return runs[runs.size() / 2];
  }
};

// Experiments under `model` whose true ratio is `log_ratio`, each under a demand of at most
// exp(log_limit).
Counts Simulated(const stats::NoiseModel& model, double log_ratio, double log_limit,
                 int experiments) {
  Counts counts;
  const GateSpec demand = GateSpec::MaxRatio(std::exp(log_limit));
  for (int experiment = 0; experiment < experiments; ++experiment) {
    stats::Random random(static_cast<std::uint64_t>(experiment),
                         static_cast<std::uint64_t>(model.name[0]));
    std::vector<double> log_ratios;
    for (int run = 0; run < kMaxRuns; ++run) {
      const stats::SimulatedRun simulated = stats::Simulate(model, kPairs, random);
      log_ratios.push_back(stats::RunLogRatio(simulated.pairs, stats::Estimator::kTrimmed).value() +
                           log_ratio - model.Truth());
    }
    const Decision decision = Decide(log_ratios, demand);
    ++counts.experiments;
    if (decision.outcome == GateOutcome::kPass) ++counts.passed;
    if (decision.outcome == GateOutcome::kFail) ++counts.failed;
    counts.runs.push_back(decision.runs);
  }
  return counts;
}

void Print(const stats::NoiseModel& model, const char* what, Counts& counts) {
  std::printf("[ GATE ] model %s  %-22s of %d: %d PASS, %d FAIL; median runs %.0f\n", model.name,
              what, counts.experiments, counts.passed, counts.failed, counts.MedianRuns());
}

// The most wrong decisions of a kind that happens with probability (1 - level) / 2 at most; more
// in one of 2000 such tests.
int Bound(int experiments) {
  const boost::math::binomial distribution(experiments, (1 - kLevel) / 2);
  return static_cast<int>(boost::math::quantile(distribution, 0.9995));
}

class GateAlarms : public testing::TestWithParam<stats::NoiseModel (*)()> {};

INSTANTIATE_TEST_SUITE_P(Models, GateAlarms,
                         testing::Values(stats::ModelA, stats::ModelB, stats::ModelC,
                                         stats::ModelD),
                         [](const auto& info) { return std::string(info.param().name); });

// Where it hurts most: new is exactly as slow as it may be.
TEST_P(GateAlarms, AtTheLimitAreAsRareAsTheLevelSays) {
  const stats::NoiseModel model = GetParam()();
  constexpr int kExperiments = 1000;
  Counts counts = Simulated(model, 0.05, 0.05, kExperiments);
  Print(model, "at the limit", counts);
  EXPECT_LE(counts.failed, Bound(kExperiments));
  EXPECT_LE(counts.passed, Bound(kExperiments));
}

TEST_P(GateAlarms, ClearCasesAreDecidedEarlyAndRight) {
  const stats::NoiseModel model = GetParam()();
  constexpr int kExperiments = 300;
  Counts same = Simulated(model, 0, std::log(1.05), kExperiments);
  Print(model, "A/A against +5 %", same);
  EXPECT_EQ(same.failed, 0);
  EXPECT_EQ(same.passed, kExperiments);
  EXPECT_LE(same.MedianRuns(), 12);
  Counts slower = Simulated(model, std::log(1.1), std::log(1.05), kExperiments);
  Print(model, "+10 % against +5 %", slower);
  EXPECT_EQ(slower.passed, 0);
  EXPECT_EQ(slower.failed, kExperiments);
  EXPECT_LE(slower.MedianRuns(), 18);
}

TEST_P(GateAlarms, CloseCasesAreDecidedRightOrNotAtAll) {
  const stats::NoiseModel model = GetParam()();
  constexpr int kExperiments = 300;
  Counts counts = Simulated(model, std::log(1.01), std::log(1.005), kExperiments);
  Print(model, "+1 % against +0.5 %", counts);
  EXPECT_LE(counts.passed, Bound(kExperiments));
  EXPECT_GT(counts.failed, kExperiments * 9 / 10);
}

}  // namespace
}  // namespace duetbench
