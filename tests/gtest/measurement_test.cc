#include "duetbench/gtest/measurement.h"

#include <cmath>

#include "duetbench/api/flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using internal::Measurement;
using ::testing::StartsWith;

TEST(CompareOptionsTest, GoOverTheFlags) {
  ExperimentOptions flags;
  flags.runs = 20;
  flags.min_time = 3;
  const ExperimentOptions none = MakeExperimentOptions(flags, CompareOptions());
  EXPECT_EQ(none.runs, 20);
  EXPECT_EQ(none.min_time, 3);
  const ExperimentOptions all = MakeExperimentOptions(
      flags,
      CompareOptions().Runs(5).MinTime(0.5).MaxTime(7).Level(0.9).Margin(0).Fill().InTurns());
  EXPECT_EQ(all.runs, 5);
  EXPECT_EQ(all.min_time, 0.5);
  EXPECT_EQ(all.max_time, 7);
  EXPECT_EQ(all.level, 0.9);
  EXPECT_EQ(all.margin, 0);
  EXPECT_TRUE(all.fill);
  EXPECT_EQ(all.schedule, Schedule::kInterleaved);
}

TEST(CompareOptionsTest, AnOptionThatMakesNoSenseIsNamed) {
  const auto message = [](const CompareOptions& options) {
    return Measurement(DuetFunctions(), options).Measure().failure.error.cause;
  };
  EXPECT_EQ(message(CompareOptions().Runs(0)),
            "CompareOptions().Runs(0) should be a whole number from 1 to 100000");
  EXPECT_EQ(message(CompareOptions().MinTime(0)),
            "CompareOptions().MinTime(0) should be a positive number of seconds, at most 1000000");
  EXPECT_EQ(message(CompareOptions().MaxTime(-1)),
            "CompareOptions().MaxTime(-1) should be a positive number of seconds, at most 1000000");
  EXPECT_EQ(
      message(CompareOptions().MinTime(NAN)),
      "CompareOptions().MinTime(nan) should be a positive number of seconds, at most 1000000");
  EXPECT_EQ(message(CompareOptions().Level(99)),
            "CompareOptions().Level(99) should be a number between 0 and 1, such as 0.99 for 99 %");
  EXPECT_EQ(
      message(CompareOptions().Margin(1)),
      "CompareOptions().Margin(1) should be a number from 0 to below 1, such as 0.01 for 1 %");
}

TEST(MeasurementTest, IsNamedAfterItsTestAndItsNumber) {
  EXPECT_EQ(Measurement(DuetFunctions(), CompareOptions()).name(),
            "MeasurementTest.IsNamedAfterItsTestAndItsNumber");
  EXPECT_EQ(Measurement(DuetFunctions(), CompareOptions()).name(),
            "MeasurementTest.IsNamedAfterItsTestAndItsNumber#2");
}

TEST(MeasurementTest, IsJudgedByWhateverIsDemanded) {
  Measurement measurement("f", FasterComparison());
  EXPECT_EQ(measurement.Judged(GateSpec::MaxRatio(0.9)).time_gate, GateStatus::kPass);
  EXPECT_EQ(measurement.Judged(GateSpec::MaxRatio(0.7)).time_gate, GateStatus::kFail);
  const Facts judged = measurement.Judged(GateSpec::MinSpeedup(1.25));
  EXPECT_EQ(judged.time_gate, GateStatus::kInconclusive);
  EXPECT_THAT(judged.message, StartsWith("INCONCLUSIVE f: new takes 0.8"));
  EXPECT_TRUE(measurement.Measure().gates.empty());
}

}  // namespace
}  // namespace duetbench
