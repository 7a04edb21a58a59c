#include <limits>
#include <optional>
#include <string>

#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_lines.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

CounterSummary Summary() {
  CounterSummary summary;
  summary.counters = {MakeCounter("INSTRUCTIONS", 120, 96), MakeCounter("PAGE-FAULTS", 0, 1000),
                      MakeCounter("CYCLES", 0, 0)};
  summary.counters[0].ratio = 0.8;
  summary.counters[0].interval = Interval(0.8, 0.79, 0.81);
  summary.counters[2].counted = false;
  return summary;
}

TEST(CounterLine, SaysAllInOneLine) {
  EXPECT_EQ(CounterLine(Summary()),
            "per iteration, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.79, 0.81]), PAGE-FAULTS 0 "
            "-> 1000, CYCLES not counted");
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

TEST(CounterLine, AmountsOfRunsHaveUnitsAndAreNotPerIteration) {
  CounterSummary summary;
  summary.counters = {MakeCounter("X", 1, 2), MakeCounter("PEAK-RSS", 1 << 20, 3 << 20)};
  summary.counters[1].of_run = true;
  EXPECT_EQ(CounterLine(summary),
            "per iteration, old -> new: X 1 -> 2; in all, old -> new: PEAK-RSS 1 MiB -> 3 MiB");
}

TEST(CounterLine, CountsThatAreTheSameInAllRunsHaveNoInterval) {
  CounterSummary summary;
  summary.counters = {MakeCounter("CALLGRIND-INSTRUCTIONS", 4025, 10036)};
  summary.counters[0].ratio = 2.5;
  summary.counters[0].interval = Interval(2.5, 2.5, 2.5);
  EXPECT_EQ(CounterLine(summary),
            "per iteration, old -> new: CALLGRIND-INSTRUCTIONS 4025 -> 10,036 (2.5 x)");
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
  EXPECT_THAT(CounterHeaderLines({}), IsEmpty());
}

TEST(CounterHeaderLines, WhatCallgrindCounts) {
  EventSurvey survey;
  survey.by_callgrind = {"CALLGRIND-CALLS", "CALLGRIND-INSTRUCTIONS"};
  EXPECT_THAT(CounterHeaderLines(survey),
              ElementsAre("counting CALLGRIND-CALLS, CALLGRIND-INSTRUCTIONS once for each duet, in "
                          "a run under Callgrind: exact, and blind to caches and branches"));
}

}  // namespace
}  // namespace duetbench
