#include "duetbench/variant/variant_report.h"

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using benchmark::Counter;

double Finished(Counter counter) {
  const std::vector<CounterValue> finished = FinishCounters({{"x", counter}}, 1000, 2);
  EXPECT_EQ(finished.size(), 1u);
  return finished.at(0).value;
}

// 1000 iterations in 2 s.
TEST(FinishCounters, IsWhatGoogleBenchmarkReports) {
  EXPECT_EQ(Finished(Counter(6)), 6);
  EXPECT_EQ(Finished(Counter(6, Counter::kIsRate)), 3);
  EXPECT_EQ(Finished(Counter(6, Counter::kAvgIterations)), 0.006);
  EXPECT_EQ(Finished(Counter(6, Counter::kIsIterationInvariant)), 6000);
  EXPECT_EQ(Finished(Counter(6, Counter::kIsIterationInvariantRate)), 3000);
  EXPECT_EQ(Finished(Counter(8, Counter::kInvert)), 0.125);
  EXPECT_EQ(Finished(Counter(8, Counter::kIsRate | Counter::kInvert)), 0.25);
}

TEST(FinishCounters, KeepsNamesFlagsAndUnits) {
  const benchmark::UserCounters counters = {
      {"bytes", Counter(6, Counter::kIsRate, Counter::kIs1024)}, {"allocations", Counter(1)}};
  for (const std::vector<CounterValue>& values :
       {FinishCounters(counters, 1, 1), RawCounters(counters)}) {
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[0].name, "allocations");
    EXPECT_EQ(values[1].name, "bytes");
    EXPECT_EQ(values[1].flags, static_cast<uint32_t>(Counter::kIsRate));
    EXPECT_EQ(values[1].one_k, static_cast<uint32_t>(Counter::kIs1024));
  }
}

TEST(RawCounters, AreAsTheyWereSet) {
  EXPECT_EQ(RawCounters({{"x", Counter(6, Counter::kIsRate)}}).at(0).value, 6);
}

TEST(DescribeDifference, ComparesCountersAndLabels) {
  VariantReport report;
  EXPECT_THAT(DescribeDifference(report, report),
              ::testing::StartsWith("CheckEqual: there is nothing to compare: "));
  report.label = "a";
  EXPECT_EQ(DescribeDifference(report, report), "");
  VariantReport other = report;
  other.label = "b";
  EXPECT_EQ(DescribeDifference(report, other), "CheckEqual: label: old 'a', new 'b'");
  report.counters = {{"n", 1, 0, 1000}, {"m", 2, 0, 1000}};
  EXPECT_EQ(DescribeDifference(report, report), "");
  other = report;
  std::swap(other.counters[0], other.counters[1]);
  EXPECT_EQ(DescribeDifference(report, other), "") << "in any order";
  other.counters[0].value = 2.5;
  EXPECT_EQ(DescribeDifference(report, other), "CheckEqual: counter m: old 2, new 2.5");
  other.counters.erase(other.counters.begin());
  EXPECT_EQ(DescribeDifference(report, other), "CheckEqual: counter m: old 2, new not set");
  EXPECT_EQ(DescribeDifference(other, report), "CheckEqual: counter m: old not set, new 2");
}

}  // namespace
}  // namespace duetbench
