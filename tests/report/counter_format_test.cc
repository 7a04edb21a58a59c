#include "duetbench/report/counter_format.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

CounterComparison MakeCounter(const std::string& name, double old_value, double new_value) {
  CounterComparison counter;
  counter.name = name;
  counter.requested = true;
  counter.counted = true;
  counter.per_iteration[0] = old_value;
  counter.per_iteration[1] = new_value;
  return counter;
}

CounterSummary Summary() {
  CounterSummary summary;
  summary.counters = {MakeCounter("INSTRUCTIONS", 120, 96), MakeCounter("PAGE-FAULTS", 0, 1000),
                      MakeCounter("CYCLES", 0, 0)};
  summary.counters[0].ratio = 0.8;
  summary.counters[0].interval = Interval(0.8, 0.79, 0.81);
  summary.counters[2].counted = false;
  summary.derived.push_back({"IPC", {3.0, std::nullopt}});
  return summary;
}

TEST(CounterLine, SaysAllInOneLine) {
  EXPECT_EQ(CounterLine(Summary()),
            "per iteration, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.79, 0.81]), PAGE-FAULTS 0 "
            "-> 1000, CYCLES not counted, IPC 3 -> -");
}

TEST(CounterLine, SaysNothingOfNothing) { EXPECT_EQ(CounterLine({}), ""); }

TEST(CounterLine, TellsOfMultiplexing) {
  CounterSummary summary;
  summary.counters = {MakeCounter("X", 1, 2)};
  summary.counters[0].scaled_share = 0.25;
  EXPECT_THAT(CounterLine(summary), HasSubstr("scaled in 25 % of the samples"));
  summary.counters[0].scaled_share = 0.001;
  EXPECT_EQ(CounterLine(summary), "per iteration, old -> new: X 1 -> 2");
}

TEST(CounterKeys, WhatThereIs) {
  EXPECT_THAT(
      CounterKeys(Summary()),
      ElementsAre(Pair("perf.INSTRUCTIONS.new", 96), Pair("perf.INSTRUCTIONS.old", 120),
                  Pair("perf.INSTRUCTIONS.ratio", 0.8), Pair("perf.INSTRUCTIONS.ratio_hi", 0.81),
                  Pair("perf.INSTRUCTIONS.ratio_lo", 0.79), Pair("perf.IPC.old", 3),
                  Pair("perf.PAGE-FAULTS.new", 1000), Pair("perf.PAGE-FAULTS.old", 0)));
}

TEST(CounterKeys, NothingThatIsNotFinite) {
  CounterSummary summary = Summary();
  summary.counters[0].interval->hi = std::numeric_limits<double>::infinity();
  summary.counters[1].per_iteration[1] = std::numeric_limits<double>::quiet_NaN();
  const auto keys = CounterKeys(summary);
  EXPECT_EQ(keys.count("perf.INSTRUCTIONS.ratio_hi"), 0u);
  EXPECT_EQ(keys.count("perf.PAGE-FAULTS.new"), 0u);
}

TEST(CounterHeaderLines, WhatIsCountedAndWhatIsNot) {
  EventSurvey survey;
  survey.events = {{"CYCLES", {}}, {"INSTRUCTIONS", {}}};
  survey.missing = {{"BAD", "unknown", "name another"}};
  EXPECT_THAT(
      CounterHeaderLines(survey),
      ElementsAre("counting CYCLES, INSTRUCTIONS for both variants of duets, outside of what is "
                  "timed",
                  "warning: not counted: BAD: unknown; name another"));
  survey.turns = 3;
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("multiplexed"));
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("3 groups take turns"));
  EXPECT_THAT(CounterHeaderLines({}), IsEmpty());
}

}  // namespace
}  // namespace duetbench
