#include "duetbench/report/counter_words.h"

#include <limits>

#include "duetbench/report/rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

CounterComparison Counter(const std::string& name, double old_value, double new_value) {
  CounterComparison counter;
  counter.name = name;
  counter.requested = true;
  counter.counted = true;
  counter.per_operation[0] = old_value;
  counter.per_operation[1] = new_value;
  return counter;
}

CounterSummary Summary() {
  CounterSummary summary;
  summary.counters = {Counter("INSTRUCTIONS", 120, 96), Counter("PAGE-FAULTS", 0, 1000),
                      Counter("CYCLES", 0, 0)};
  summary.counters[0].ratio = 0.8;
  summary.counters[0].interval = Interval(0.8, 0.79, 0.81);
  summary.counters[2].counted = false;
  summary.derived.push_back({"IPC", {3.0, std::nullopt}});
  return summary;
}

TEST(CounterLine, SaysAllInOneLine) {
  EXPECT_EQ(CounterLine(Summary()),
            "per operation, old -> new: INSTRUCTIONS 120 -> 96 (0.8 x [0.79, 0.81]), PAGE-FAULTS 0 "
            "-> 1000, CYCLES not counted, IPC 3 -> -");
}

TEST(CounterLine, SaysNothingOfNothing) { EXPECT_EQ(CounterLine({}), ""); }

TEST(CounterLine, TellsOfMultiplexing) {
  CounterSummary summary;
  summary.counters = {Counter("X", 1, 2)};
  summary.counters[0].scaled_share = 0.25;
  EXPECT_THAT(CounterLine(summary), HasSubstr("scaled in 25 % of the iterations"));
  summary.counters[0].scaled_share = 0.001;
  EXPECT_EQ(CounterLine(summary), "per operation, old -> new: X 1 -> 2");
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
  summary.counters[1].per_operation[1] = std::numeric_limits<double>::quiet_NaN();
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
      ElementsAre("counting CYCLES, INSTRUCTIONS on both sides of duets, outside of what is "
                  "timed",
                  "warning: not counted: BAD: unknown; name another"));
  survey.turns = 3;
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("multiplexed"));
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("3 groups take turns"));
  EXPECT_THAT(CounterHeaderLines({}), IsEmpty());
}

TEST(CounterRows, OldAndNewHaveTheirOwn) {
  Comparison comparison = FasterComparison();
  comparison.counters = Summary();
  const DuetRows rows = MakeDuetRows(DuetRow("BM", 1), comparison);
  EXPECT_EQ(rows.variants[0].counters.at("INSTRUCTIONS").value, 120);
  EXPECT_EQ(rows.variants[1].counters.at("INSTRUCTIONS").value, 96);
  EXPECT_EQ(rows.variants[0].counters.count("CYCLES"), 0u) << "not counted is not 0";
  EXPECT_EQ(rows.comparison.counters.at("perf.INSTRUCTIONS.ratio").value, 0.8);
  EXPECT_EQ(rows.comparison.counters.count("INSTRUCTIONS"), 0u);
}

}  // namespace
}  // namespace duetbench
