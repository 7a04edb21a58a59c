#include "duetbench/api/flags.h"

#include <cmath>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(TableOfFlags, RowsAreWhole) {
  for (const Flag& flag : AllFlags()) {
    const DuetOption& option = flag.option;
    const std::string name = flag.name;
    SCOPED_TRACE(option.method != nullptr ? option.method : name);
    EXPECT_EQ(flag.help != nullptr, absl::StartsWith(name, "duet_")) << "--help lists it";
    EXPECT_EQ(flag.value != nullptr, !name.empty());
    EXPECT_EQ(flag.read != nullptr, !name.empty());
    EXPECT_EQ(option.allows != nullptr, option.wanted != nullptr);
    EXPECT_EQ(option.method != nullptr, option.wanted != nullptr) << "the message names it";
    EXPECT_TRUE(option.wanted == nullptr || option.number != nullptr);
    EXPECT_FALSE(option.allows != nullptr && option.allows(NAN)) << "a text that is no number";
  }
}

TEST(MakeExperimentOptions, OwnOptionsGoOverTheFlagsAndFlagsOverTheDefaults) {
  ExperimentOptions flags;
  flags.runs = 20;
  flags.min_time = 3;
  flags.cpu_time = true;
  flags.schedule = Schedule::kDuet;
  flags.gates = {GateSpec::MaxRatio(1.05)};
  flags.quantiles = {0.5};
  ExperimentOptions own;
  own.min_time = 1;  // the default, set
  own.cpu_time = false;
  own.gates = {GateSpec::MinSpeedup(2)};
  own.quantiles = {0.9};
  const ExperimentOptions options = MakeExperimentOptions(flags, own);
  EXPECT_EQ(options.runs, 20);
  EXPECT_EQ(options.min_time, 1);
  EXPECT_FALSE(options.cpu_time);
  EXPECT_EQ(options.schedule, Schedule::kDuet);
  EXPECT_EQ(options.gates, std::vector<GateSpec>{GateSpec::MinSpeedup(2)});
  EXPECT_EQ(options.quantiles, std::vector<double>{0.9});
  EXPECT_EQ(options.level, 0.99) << "set by nobody";
  EXPECT_FALSE(options.level.is_set());
}

TEST(MakeExperimentOptions, RepetitionsAreMoreTime) {
  ExperimentOptions flags;
  flags.repetitions = 3;
  flags.min_time = 0.5;
  EXPECT_EQ(MakeExperimentOptions(flags, {}).min_time, 1.5);
  EXPECT_EQ(MakeExperimentOptions(flags, {}).max_time, 30) << "10 by default";
  ExperimentOptions own;
  own.repetitions = 2;
  own.max_time = 4;
  const ExperimentOptions options = MakeExperimentOptions(flags, own);
  EXPECT_EQ(options.min_time, 1);
  EXPECT_EQ(options.max_time, 8);
  EXPECT_EQ(MakeExperimentOptions(options, {}).min_time, 1) << "once";
}

}  // namespace
}  // namespace duetbench
