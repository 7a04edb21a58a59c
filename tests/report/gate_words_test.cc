#include "duetbench/report/gate_words.h"

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

CpuPairChoice SeparateCores() {
  CpuPairChoice cpus;
  cpus.cpus[0] = 0;
  cpus.cpus[1] = 1;
  cpus.relation = CpuRelation::kSeparateCores;
  return cpus;
}

Comparison Gated(const GateDemand& demand, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  comparison.interval = interval;
  comparison.runs = 10;
  comparison.pairs = 18431;
  comparison.dropped = 212;
  comparison.gate = GateResult();
  comparison.gate->demand = demand;
  comparison.gate->outcome = Judge(demand, interval);
  return comparison;
}

TEST(GateMessage, SaysEverythingToSomeoneWhoSeesOnlyThisLine) {
  Comparison comparison = Gated(GateDemand::MaxRatio(1.05), Interval(1.073, 1.061, 1.085));
  for (int run = 0; run < 10; ++run) {
    comparison.run_log_ratios.push_back(run % 2 == 0 ? 0.0691 : 0.0719);
  }
  EXPECT_EQ(GateMessage("BM_Parse/1024", comparison, SeparateCores()),
            "FAIL BM_Parse/1024: new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %), "
            "allowed +5 %. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores). A/A on "
            "this machine detects ≥ 0.24 %.");
}

TEST(GateMessage, OfEachOutcome) {
  EXPECT_EQ(
      GateMessage("f", Gated(GateDemand::MaxRatio(1.05), Interval(0.99, 0.98, 1)), SeparateCores()),
      "PASS f: new takes 1.0 % less time than old (99 % interval -2.0 … +0.0 %), allowed +5 "
      "%. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores).");
  Comparison undecided = Gated(GateDemand::MaxRatio(1.05), Interval(1.05, 1.02, 1.08));
  EXPECT_THAT(GateMessage("f", undecided, SeparateCores()),
              HasSubstr("INCONCLUSIVE f: new is 5.0 % slower than old (99 % interval +2.0 … +8.0 "
                        "%), allowed +5 %. 10 runs"));
  undecided.gate->time_spent = true;
  EXPECT_THAT(GateMessage("f", undecided, SeparateCores()),
              HasSubstr("allowed +5 %: undecided when the time was spent (--duet_max_time). 10"));
}

TEST(DifferenceText, ManyTimesAreNotPerCent) {
  EXPECT_EQ(DifferenceText(Interval(2.05, 2.01, 2.09)),
            "new takes 2.05 times as long as old (99 % interval 2.01 … 2.09 times)");
  EXPECT_EQ(DifferenceText(Interval(0.5, 0.4, 0.625)),
            "new is 2.00 times as fast as old (99 % interval 1.60 … 2.50 times)");
  EXPECT_EQ(DifferenceText(Interval(1.001, 1.0008, 1.0012)),
            "new is 0.100 % slower than old (99 % interval +0.080 … +0.120 %)");
  EXPECT_EQ(DifferenceText(Interval(1, 0, std::numeric_limits<double>::infinity())),
            "new is 0.0 % slower than old (99 % interval -100.0 … +inf %)");
  EXPECT_EQ(DifferenceText(Interval(1.375, 2.58e-13, 7326379447341.0)),
            "new is 37.5 % slower than old (99 % interval -100.0 … +7.33e+14 %)");
  EXPECT_EQ(DifferenceText(Interval(2, 5e-7, 8e6)),
            "new takes 2.00 times as long as old (99 % interval 0.00 … 8e+06 times)");
}

TEST(DemandText, AsItWasWritten) {
  EXPECT_EQ(DemandText(GateDemand::MaxRatio(1.05)), "allowed +5 %");
  EXPECT_EQ(DemandText(GateDemand::MaxRatio(1.005)), "allowed +0.5 %");
  EXPECT_EQ(DemandText(GateDemand::MaxRatio(0.9)), "allowed -10 %");
  EXPECT_EQ(DemandText(GateDemand::MaxRatio(2)), "allowed 2 times the time");
  EXPECT_EQ(DemandText(GateDemand::MinSpeedup(1.2)), "demanded 1.2 times as fast");
  EXPECT_EQ(DemandText(GateDemand::Equivalent(0.02)), "allowed ±2 %");
}

TEST(MeasuredText, SaysWhatLimitsIt) {
  Comparison comparison = FasterComparison();
  comparison.runs = 1;
  comparison.this_process_only = true;
  comparison.schedule = Schedule::kInterleaved;
  comparison.dropped = 1234567;
  EXPECT_EQ(MeasuredText(comparison, SeparateCores()),
            "1 run, 18,213 pairs, 1,234,567 dropped; not a duet: interleaved on CPU 0; this "
            "process only");
  comparison = FasterComparison();
  comparison.interrupted = true;
  EXPECT_THAT(MeasuredText(comparison, SeparateCores()), EndsWith("; interrupted"));
}

TEST(DetectableSlowdown, IsThatOfTheLook) {
  Comparison comparison = FasterComparison();
  EXPECT_EQ(DetectableSlowdown(comparison), 0) << "nothing is known of the runs";
  EXPECT_THAT(GateMessage("f", comparison, SeparateCores()), Not(HasSubstr("A/A")));
  comparison.run_log_ratios = {0.01, 0.02, 0.01, 0.02, 0.01, 0.02};
  const double alone = DetectableSlowdown(comparison);
  // (t(0.995, 5) + t(0.95, 5)) / sqrt(6) * 0.005477
  EXPECT_NEAR(alone, std::exp((4.03214 + 2.01505) / std::sqrt(6.0) * 0.0054772) - 1, 1e-6);
  comparison.gate = GateResult();
  comparison.gate->share = 0.1;
  EXPECT_GT(DetectableSlowdown(comparison), alone);
}

}  // namespace
}  // namespace duetbench
