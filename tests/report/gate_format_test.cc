#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/report/comparison_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::StartsWith;

Comparison Gated(const GateSpec& spec, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->interval = interval;
  comparison.estimate()->runs = 10;
  comparison.estimate()->pairs = 18431;
  comparison.estimate()->dropped = 212;
  SetTimeGate(spec, &comparison);
  return comparison;
}

// The sentence of the only gate.
std::string Sentence(const Comparison& comparison) {
  return GateSentence(comparison, comparison.estimate()->gates[0]);
}
std::string Sentence(const GateResult& gate) { return GateSentence(FasterComparison(), gate); }
std::string Message(const Comparison& comparison) {
  return AllGatesMessage("f", comparison, SeparateCores());
}

TEST(GateSpecText, IsTheLimitOfTheRatio) {
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(1.05)), "limit 1.05 ×");
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(0.5)), "limit 0.5 ×");
  EXPECT_EQ(GateSpecText(GateSpec::MinSpeedup(1.5)), "limit 0.6667 ×");
  EXPECT_EQ(GateSpecText(GateSpec::Equivalent(0.02)), "limits 0.9804 to 1.02 ×");
  EXPECT_EQ(GateSpecText(GateSpec::MinRatio(0.98)), "limit 0.98 × from below");
}

// Those of MaxRatio are in sentences_test.cc.
TEST(GateSentence, SaysOneThing) {
  const auto sentence = [](const GateSpec& spec, double lo, double hi) {
    return Sentence(Gated(spec, Interval(std::sqrt(lo * hi), lo, hi)));
  };
  EXPECT_EQ(sentence(GateSpec::MinRatio(0.98), 0.99, 1.01),
            "PASS (limit 0.98 × from below): 0.990 to 1.010 ×, all above the limit");
  EXPECT_EQ(sentence(GateSpec::MinRatio(0.98), 0.925, 0.951),
            "FAIL (limit 0.98 × from below): 0.925 to 0.951 ×, all below the limit");
  EXPECT_EQ(sentence(GateSpec::Equivalent(0.02), 0.98125, 1.01875),
            "PASS (limits 0.9804 to 1.02 ×): 0.981 to 1.019 ×, all within the limits");
  EXPECT_EQ(sentence(GateSpec::Equivalent(0.02), 0.925, 0.951),
            "FAIL (limits 0.9804 to 1.02 ×): 0.925 to 0.951 ×, all below the limits");
  EXPECT_EQ(sentence(GateSpec::Equivalent(0.02), 1.03, 1.08),
            "FAIL (limits 0.9804 to 1.02 ×): 1.030 to 1.080 ×, all above the limits");
  EXPECT_EQ(sentence(GateSpec::Equivalent(0.02), 1.01, 1.08),
            "INCONCLUSIVE (limits 0.9804 to 1.02 ×): 1.010 to 1.080 ×, partly outside the limits");
}

TEST(GateMessage, OfEachKindOfGate) {
  EXPECT_EQ(Message(Gated(GateSpec::MinSpeedup(1.5), Interval(0.9, 0.89, 0.91))),
            "FAIL f: new takes 0.900 × the time of old (99 % interval 0.890 to 0.910 ×), all above "
            "the limit of 0.6667 × (1.5 times as fast). 10 runs, 18,431 pairs, 212 dropped; CPUs "
            "0,1 (separate cores).");
  EXPECT_EQ(
      Message(Gated(GateSpec::Equivalent(0.02), Interval(0.9, 0.89, 0.91))),
      "FAIL f: new takes 0.900 × the time of old (99 % interval 0.890 to 0.910 ×), all below the "
      "limits 0.9804 to 1.02 ×. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores).");
  Comparison undecided = Gated(GateSpec::MaxRatio(1.05), Interval(1, 0.909, 1.1));
  undecided.estimate()->time_spent = true;
  undecided.estimate()->share = 0.5;
  undecided.wall_s = 10;
  EXPECT_EQ(Message(undecided),
            "INCONCLUSIVE f: new takes 1.000 × the time of old (99 % interval 0.909 to 1.100 ×), "
            "on both sides of the limit of 1.05 × when the time was spent; about 68 s would decide "
            "(--duet_max_time=68). 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores).");
  undecided.estimate()->lacks_work[0] = true;
  JudgeAgain(&undecided);
  EXPECT_EQ(Message(undecided),
            "INCONCLUSIVE f: new takes 1.000 × the time of old (99 % interval 0.909 to 1.100 ×), "
            "limit 1.05 ×, but old takes no more time than an empty loop when the time was spent. "
            "10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores).");
}

constexpr char kAllocations[] = "ALLOCATIONS";

GateResult Allocations(GateStatus outcome, double old_count, double new_count,
                       std::optional<stats::RatioInterval> interval) {
  GateResult gate = MakeGate(GateSpec::MaxRatio(1, {kAllocations}), outcome, interval);
  gate.mean[0] = old_count;
  gate.mean[1] = new_count;
  return gate;
}

TEST(GateSentence, OfACounterSaysWhatIsCounted) {
  EXPECT_EQ(Sentence(Allocations(GateStatus::kFail, 2, 3, Interval(1.5, 1.5, 1.5))),
            "FAIL (limit 1 ×): ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit");
  EXPECT_EQ(Sentence(Allocations(GateStatus::kPass, 2, 2, Interval(1, 1, 1))),
            "PASS (limit 1 ×): ALLOCATIONS 2 -> 2 an iteration, 1.000 ×, not above the limit");
  EXPECT_EQ(Sentence(Allocations(GateStatus::kInconclusive, 2, 2.1, Interval(1.05, 0.98, 1.12))),
            "INCONCLUSIVE (limit 1 ×): ALLOCATIONS 2 -> 2.1 an iteration, 0.980 to 1.120 ×, on "
            "both sides of the limit");
  EXPECT_EQ(Sentence(Allocations(GateStatus::kFail, 0, 3, {})),
            "FAIL (limit 1 ×): ALLOCATIONS 0 -> 3 an iteration, all above the limit");
}

TEST(GateSentence, OfAQuantileSaysWhatItHasOrLacks) {
  GateResult gate = MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail,
                             Interval(1.213, 1.18, 1.251));
  EXPECT_EQ(Sentence(gate),
            "FAIL (limit 1.1 ×): p99 of calls 1.180 to 1.251 ×, all above the limit");
  gate.outcome = GateStatus::kInconclusive;
  gate.why = stats::Why::kBiased;
  EXPECT_EQ(Sentence(gate),
            "INCONCLUSIVE (limit 1.1 ×): p99 of calls too many pairs were disturbed");
  gate.why = stats::Why::kWide;
  gate.interval.reset();
  gate.calls.emplace();
  gate.calls->calls = 60'000;
  gate.calls->calls_needed = 70'000;
  EXPECT_EQ(Sentence(gate),
            "INCONCLUSIVE (limit 1.1 ×): p99 of calls with too few calls, 60000 of 70000 needed");
}

TEST(AllGatesMessage, BeginsWithWhatDoesNotHold) {
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), Interval(0.99, 0.98, 1));
  comparison.estimate()->gates.push_back(
      Allocations(GateStatus::kFail, 2, 3, Interval(1.5, 1.5, 1.5)));
  comparison.estimate()->gates.push_back(MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}),
                                                  GateStatus::kFail, Interval(1.213, 1.18, 1.251)));
  EXPECT_THAT(Message(comparison),
              StartsWith("FAIL f: ALLOCATIONS 2 -> 3 an iteration, 1.500 ×, all above the limit of "
                         "1 ×, in 18 runs. FAIL f: p99 of calls 1.180 to 1.251 ×, all above the "
                         "limit of 1.1 ×, in 18 runs. PASS f: new takes 0.990 ×"));
}

TEST(GateMessage, SaysWhatLimitsTheMeasurement) {
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), Interval(0.99, 0.98, 1));
  Estimate& estimate = *comparison.estimate();
  estimate.runs = 1;
  estimate.pairs = 18213;
  estimate.schedule = Schedule::kInterleaved;
  estimate.schedule_reason = "its pilot was narrower";  // is not said
  estimate.dropped = 1234567;
  estimate.interrupted = true;
  EXPECT_EQ(Message(comparison),
            "PASS f: new takes 0.990 × the time of old (99 % interval 0.980 to 1.000 ×), all below "
            "the limit of 1.05 ×. 1 run, 18,213 pairs, 1,234,567 dropped; interleaved on CPU 0; "
            "interrupted; calls rarer than 1 in 700 were not seen.");
}

}  // namespace
}  // namespace duetbench
