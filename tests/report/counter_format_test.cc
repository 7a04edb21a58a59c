#include <limits>
#include <optional>
#include <string>

#include "duetbench/report/comparison_format.h"
#include "duetbench/suite_report/suite_lines.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"
#include "tests/suite_report/suites.h"

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
  survey.turns = 3;
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("multiplexed"));
  EXPECT_THAT(CounterHeaderLines(survey)[0], HasSubstr("3 groups take turns"));
  EXPECT_THAT(CounterHeaderLines({}), IsEmpty());
}

TEST(CounterHeaderLines, WhatCallgrindCounts) {
  EventSurvey survey;
  survey.by_callgrind = {"CALLGRIND-CALLS", "CALLGRIND-INSTRUCTIONS"};
  EXPECT_THAT(CounterHeaderLines(survey),
              ElementsAre("counting CALLGRIND-CALLS, CALLGRIND-INSTRUCTIONS once for each duet, in "
                          "a run under Callgrind: exact, and blind to caches and branches"));
}

CounterGateResult Gate(GateOutcome outcome, double old_count, double new_count, double lo,
                       double hi) {
  CounterGateResult gate;
  gate.spec = {"ALLOCATIONS", 1};
  gate.outcome = outcome;
  gate.per_iteration[0] = old_count;
  gate.per_iteration[1] = new_count;
  gate.runs = 8;
  if (hi > 0) gate.interval = Interval((lo + hi) / 2, lo, hi);
  gate.p = outcome == GateOutcome::kFail ? 1e-9 : 1;
  return gate;
}

TEST(CounterGateSentence, SaysOneThing) {
  EXPECT_EQ(CounterGateSentence(Gate(GateOutcome::kFail, 2, 3, 1.5, 1.5)),
            "FAIL (limit 1 ×): ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit");
  EXPECT_EQ(CounterGateSentence(Gate(GateOutcome::kPass, 2, 2, 1, 1)),
            "PASS (limit 1 ×): ALLOCATIONS 2 -> 2 an iteration, 1.000 ×, not above the limit");
  EXPECT_EQ(CounterGateSentence(Gate(GateOutcome::kInconclusive, 2, 2.1, 0.98, 1.12)),
            "INCONCLUSIVE (limit 1 ×): ALLOCATIONS 2 -> 2.1 an iteration, 0.980 to 1.120 ×, on "
            "both sides of the limit");
  EXPECT_EQ(CounterGateSentence(Gate(GateOutcome::kFail, 0, 3, 0, 0)),
            "FAIL (limit 1 ×): ALLOCATIONS 0 -> 3 an iteration, all above the limit");
}

TEST(AllGatesMessage, BeginsWithWhatDoesNotHold) {
  SuiteEntry entry = Passing("a");
  entry.comparison.counter_gates = {Gate(GateOutcome::kFail, 2, 3, 1.5, 1.5)};
  const std::string message = EntryMessage(entry, GateStatus::kFail, SeparateCores());
  EXPECT_THAT(message, StartsWith("FAIL a: ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the "
                                  "limit of 1 ×, in 8 runs. PASS a: new takes 1.000 ×"));
  entry.comparison.gate.reset();
  EXPECT_EQ(EntryMessage(entry, GateStatus::kFail, SeparateCores()),
            "FAIL a: ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit of 1 ×, in 8 "
            "runs.");
}

TEST(AllGatesMessage, IsInTheLinesAtTheEnd) {
  SuiteEntry entry = Ungated("a");
  entry.comparison.counter_gates = {Gate(GateOutcome::kFail, 2, 3, 1.5, 1.5)};
  const auto lines =
      ClosingLines({entry}, GateStatuses({entry}), WhenInconclusive::kSkip, SeparateCores());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "duetbench: 1 gate failed");
  EXPECT_THAT(lines[1], HasSubstr("FAIL a: ALLOCATIONS 2 -> 3"));
}

}  // namespace
}  // namespace duetbench
