// Ratios that change in the course of a run.
#include <cstdint>
#include <tuple>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/experiment/measure.h"

namespace duetbench {
namespace {

// New takes 20 % more at first, less and less in the course of a run.
void LetTheRatioFall(LaunchedRun* launched, uint32_t run) {
  double excess = 0.2 + 0.001 * (run % 3);
  for (PairRecord& pair : launched->result.pairs) {
    pair.ticks[1] = 100 * (1 + excess);
    excess *= 0.8;
  }
}

// New takes `excess` more than usual in the first quarter of a run.
void LetARunBeginCold(double excess, LaunchedRun* launched) {
  std::vector<PairRecord>& pairs = launched->result.pairs;
  for (size_t i = 0; i < pairs.size() / 4; ++i) pairs[i].ticks[1] *= 1 + excess;
}

TEST(RunExperiment, AWarmUpThatIsTooShortIsLengthened) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    const RunPlan& plan = launcher.plans.back();
    if (plan.warm_up_ns == 0) LetARunBeginCold(0.2 + 0.001 * (plan.run % 3), launched);
  };
  const ExperimentResult result = Measure(launcher, Runs(12, 0.1));
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(result.estimate()->runs, 12);
  EXPECT_NEAR(result.estimate()->interval.ratio, 1.05, 0.002) << "of what was warm";
  EXPECT_GT(launcher.plans.back().warm_up_ns, 0);
  EXPECT_EQ(launcher.plans.size(), 1u + 12) << "no run is given up";
  EXPECT_THAT(result.notices, testing::IsEmpty());
}

// Found in the last look, by more runs than the ones before had.
TEST(RunExperiment, RunsThatWereMeasuredColdLoseTheirFirstThird) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    const uint32_t run = launcher.plans.back().run;
    LetARunBeginCold(run < 16 ? 0.02 * (run % 4) - 0.01 : 0.3, launched);
  };
  const ExperimentResult result = Measure(launcher, Runs(40, 0.1));
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(launcher.plans.back().warm_up_ns, 0) << "not found before";
  EXPECT_NEAR(result.estimate()->interval.ratio, 1.05, 0.002);
  EXPECT_THAT(result.notices, testing::IsEmpty());
}

TEST(RunExperiment, ARatioThatNeverSettlesIsTold) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    LetTheRatioFall(launched, launcher.plans.back().run);
  };
  const ExperimentResult result = Measure(launcher, Runs(12, 0.1));
  EXPECT_EQ(launcher.plans.size(), 1u + 12);
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_EQ(result.notices[0].kind, Notice::Kind::kNotStationary);
  EXPECT_LT(result.notices[0].value[0], -0.05);
  EXPECT_GT(result.notices[0].value[1], 0);
}

}  // namespace
}  // namespace duetbench
