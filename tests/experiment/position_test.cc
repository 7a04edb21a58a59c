// Ratios that depend on the position in a run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/experiment/measure.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::Lt;

constexpr double kPairNs = 100e3;

// Answers as runs of as many pairs as their time has room for. New takes 1.5 times as long in the
// last 60 % of each pass of `pass_ns`.
void GiveAnInput(double pass_ns, const RunPlan& plan, RunOfPairs* launched) {
  std::vector<PairRecord>& pairs = launched->front().pairs;
  if (plan.is_pilot != 0) return;
  pairs.clear();
  const auto count = static_cast<uint32_t>(plan.budget_ns / kPairNs);
  for (uint32_t i = 0; i < count; ++i) {
    const double position = std::fmod(i * kPairNs / 2, pass_ns) / pass_ns;
    pairs.push_back(PairOf(1000, (position < 0.4 ? 1000 : 1500) + plan.run % 3 + i % 5, i));
  }
  launched->front().process_ns = plan.budget_ns + 3e6;
}

struct Outcome {
  Comparison result;
  FakeLauncher launcher;
};

std::unique_ptr<Outcome> MeasureAnInput(double pass_ns) {
  auto outcome = std::make_unique<Outcome>();
  outcome->launcher.change = [&launcher = outcome->launcher, pass_ns](int, RunOfPairs* launched) {
    GiveAnInput(pass_ns, launcher.plans.back(), launched);
  };
  outcome->result = Measure(outcome->launcher);
  return outcome;
}

TEST(RunExperiment, ALongRunShowsThatShortOnesTellTheSame) {
  const auto outcome = MeasureAnInput(0.1e6);
  const std::vector<RunPlan>& plans = outcome->launcher.plans;
  EXPECT_GT(plans[1].budget_ns, 150e6) << "a fifth of the time";
  EXPECT_LT(plans[2].budget_ns, 40e6);
  ASSERT_TRUE(outcome->result.has_ratio());
  EXPECT_GT(outcome->result.runs, 15) << "the long one counts";
  EXPECT_NEAR(outcome->result.wall_s, 1, 0.1);
}

TEST(RunExperiment, RunsAreLongWhereTheirHeadHasAnotherRatio) {
  const auto outcome = MeasureAnInput(20e6);
  for (size_t i = 2; i < outcome->launcher.plans.size(); ++i) {
    EXPECT_GT(outcome->launcher.plans[i].budget_ns, 150e6);
  }
  const Comparison& result = outcome->result;
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.runs, 5);
  EXPECT_TRUE(result.total_decides);
  EXPECT_LE(result.interval.lo, 1.303) << "runs and pairs differ by 0.2 %";
  EXPECT_GE(result.interval.hi, 1.3);
  EXPECT_EQ(result.verdict, stats::Verdict::kSlower);
  EXPECT_LT(outcome->result.wall_s, 1.8);
}

// Shorter ones in the time that is left would see the first part of a pass.
TEST(RunExperiment, RunsStayLongWhereTheFirstHasTakenAllTheTime) {
  Outcome outcome;
  outcome.launcher.change = [&launcher = outcome.launcher](int, RunOfPairs* launched) {
    GiveAnInput(/*pass_ns=*/200e6, launcher.plans.back(), launched);
    launched->front().process_ns *= 6;
  };
  outcome.result = RunExperiment(outcome.launcher, ExperimentOptions());
  EXPECT_GT(outcome.launcher.plans.size(), 2u);
  for (size_t i = 2; i < outcome.launcher.plans.size(); ++i) {
    EXPECT_GT(outcome.launcher.plans[i].budget_ns, 150e6);
  }
}

// Answers as a run in which each call begins at the head of such an input. An iteration of old
// takes 100 ns.
void GiveCalls(double pass_ns, const RunPlan& plan, RunOfPairs* launched) {
  if (plan.is_pilot != 0) return;
  constexpr double kIterationNs = 1000;
  const double call_ns = kIterationNs * static_cast<double>(plan.batch);
  const double passes = std::floor(call_ns / pass_ns);
  const double rest_ns = call_ns - passes * pass_ns;
  const double more_ns = 0.3 * passes * pass_ns + 0.5 * std::max(0.0, rest_ns - 0.4 * pass_ns);
  std::vector<PairRecord>& pairs = launched->front().pairs;
  const double pair_ns = 2 * call_ns + more_ns;
  const int count = std::max(1, static_cast<int>(plan.budget_ns / pair_ns));
  pairs.clear();
  for (int i = 0; i < count; ++i) {
    pairs.push_back(PairOf(call_ns / plan.ns_per_tick,
                           (call_ns + more_ns) * (1 + 1e-4 * (plan.run % 3)) / plan.ns_per_tick,
                           static_cast<uint64_t>(i)));
    for (uint64_t& iterations : pairs.back().iterations) iterations = plan.batch;
  }
  launched->front().process_ns = count * pair_ns + 3e6;
}

std::unique_ptr<Outcome> MeasureCalls(double pass_ns, ExperimentOptions options = {}) {
  auto outcome = std::make_unique<Outcome>();
  outcome->launcher.change = [&launcher = outcome->launcher, pass_ns](int, RunOfPairs* launched) {
    GiveCalls(pass_ns, launcher.plans.back(), launched);
  };
  options.calls = true;
  outcome->result = RunExperiment(outcome->launcher, options);
  return outcome;
}

TEST(RunExperiment, ALongCallShowsThatShortOnesTellTheSame) {
  const auto outcome = MeasureCalls(1000);
  const std::vector<RunPlan>& plans = outcome->launcher.plans;
  std::vector<uint64_t> batches;
  for (const RunPlan& plan : plans) batches.push_back(plan.batch);
  // By steps: with a time that grows with the square of the iterations, too, none takes long.
  EXPECT_THAT(std::vector<uint64_t>(batches.begin(), batches.begin() + 4),
              ElementsAre(0, AllOf(Gt(200 * kBatch), Lt(400 * kBatch)), AllOf(Gt(80e3), Lt(130e3)),
                          kBatch));
  EXPECT_EQ(plans[2].run, plans[3].run) << "with the same layouts";
  EXPECT_THAT(std::vector<uint64_t>(batches.begin() + 4, batches.end()), Each(kBatch));
  ASSERT_TRUE(outcome->result.has_ratio());
  EXPECT_GT(outcome->result.runs, 10);
  EXPECT_NEAR(outcome->result.interval.ratio, 1.3, 0.01);
  EXPECT_NEAR(outcome->result.wall_s, 1, 0.15);
}

TEST(RunExperiment, CallsAreLongWhereShortOnesHaveAnotherRatio) {
  const auto outcome = MeasureCalls(20e6);
  const Comparison& result = outcome->result;
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.runs, 5) << "those of the long calls, which had shown it, count";
  EXPECT_EQ(result.schedule_reason, "the ratio depends on the length of a call");
  EXPECT_LE(result.interval.lo, 1.3);
  EXPECT_GE(result.interval.hi, 1.3);
  EXPECT_EQ(result.verdict, stats::Verdict::kSlower);
  EXPECT_LT(outcome->result.wall_s, 1.6);
}

// Plain programs of Google Benchmark; commands take as long as they take.
TEST(RunExperiment, ExecutionsAreLongWhereShortOnesHaveAnotherRatio) {
  ExperimentOptions options;
  options.executions = true;
  const auto commands = MeasureCalls(20e6, options);
  ASSERT_TRUE(commands->result.has_ratio());
  EXPECT_EQ(commands->result.schedule, Schedule::kDuet);
  options.takes_seconds = true;
  const auto programs = MeasureCalls(20e6, options);
  const Comparison& result = programs->result;
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.schedule_reason, "the ratio depends on the length of a call");
  EXPECT_EQ(programs->launcher.plans.back().one_pair, 1u);
  EXPECT_LE(result.interval.lo, 1.3);
  EXPECT_GE(result.interval.hi, 1.3);
}

TEST(RunExperiment, CallsAreLongInADemandedNumberOfRuns) {
  ExperimentOptions options;
  options.runs = 8;
  const auto outcome = MeasureCalls(20e6, options);
  ASSERT_TRUE(outcome->result.has_ratio());
  EXPECT_EQ(outcome->result.runs, 8);
  EXPECT_NEAR(outcome->result.interval.ratio, 1.3, 0.05);
}

// The calls of a run get slower, and a long one takes their mean.
TEST(RunExperiment, RunsThatAreLengthenedKeepShortCallsThatTellTheSame) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    const RunPlan& plan = launcher.plans.back();
    GiveCalls(1000, plan, launched);
    std::vector<PairRecord>& pairs = launched->front().pairs;
    const auto last = static_cast<double>(pairs.size() - 1);
    if (plan.is_pilot != 0 || pairs.size() < 2) return;
    for (size_t i = 0; i < pairs.size(); ++i) {
      pairs[i].ticks[1] *= 0.9 + 0.2 * static_cast<double>(i) / last;
    }
  };
  ExperimentOptions options;
  options.calls = true;
  options.gates = {GateSpec::MaxRatio(1.3)};
  RunExperiment(launcher, options);
  const double first_ns = launcher.plans[3].budget_ns;
  EXPECT_GT(launcher.plans.back().budget_ns, 1.9 * first_ns) << "they are lengthened";
  EXPECT_EQ(launcher.plans.back().batch, kBatch);
}

TEST(RunExperiment, ACallThatSeesAPartOfAPassDecidesNothing) {
  const Comparison result = MeasureCalls(200e6)->result;
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.verdict, stats::Verdict::kInconclusive);
  EXPECT_GE(result.interval.hi, 1.3);
}

// The runs see less than half of a pass of 200 ms.
TEST(RunExperiment, APartOfAPassDecidesNothing) {
  const auto outcome = MeasureAnInput(200e6);
  const Comparison& result = outcome->result;
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.why, stats::Why::kPartOfInput);
  EXPECT_TRUE(std::isinf(result.interval.hi));
  const std::vector<Notice>& notices = outcome->result.notices;
  const auto found = std::find_if(notices.begin(), notices.end(), [](const Notice& notice) {
    return notice.kind == Notice::Kind::kNotStationary;
  });
  ASSERT_NE(found, notices.end());
  EXPECT_GT(found->value[1], 2) << "seconds that would tell";
}

// Where there is more time, the runs that were too short are evidence, and no values.
TEST(RunExperiment, AGateGetsLongerRuns) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    GiveAnInput(200e6, launcher.plans.back(), launched);
  };
  ExperimentOptions options;
  options.schedule = Schedule::kDuet;
  options.gates = {GateSpec::MaxRatio(1.05)};
  const Comparison comparison = RunExperiment(options, TwoCpus(), launcher.Launcher());
  EXPECT_GT(launcher.plans.back().budget_ns, 300e6);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.gates[0].outcome, GateStatus::kFail);
  EXPECT_LE(comparison.interval.lo, 1.3);
  EXPECT_GE(comparison.interval.hi, 1.3);
}

}  // namespace
}  // namespace duetbench
