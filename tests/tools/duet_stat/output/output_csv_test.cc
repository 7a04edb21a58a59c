#include <limits>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kHeader[] =
    "benchmark,runs,pairs,dropped,kind,method,level,estimator,ratio,lo,hi,verdict,p,effect,"
    "message\n";

IntervalResult Interval(double lo, double hi, const std::string& warning) {
  return {stats::IntervalKind::kT, 0.99, stats::Estimator::kTrimmed,
          stats::RatioInterval{1.25, lo, hi, 0.99, stats::IntervalKind::kT, warning},
          stats::Verdict::kSlower};
}

TEST(CsvText, HasALineForEachIntervalAndRule) {
  BenchmarkResult result;
  result.name = "BM<a, b>";
  result.runs = 10;
  result.pairs = 100;
  result.dropped = 3;
  result.intervals.push_back(Interval(1.125, 1.5, ""));
  result.intervals.push_back(Interval(0, std::numeric_limits<double>::infinity(), "few, too few"));
  result.intervals.push_back(Interval(1, 1, ""));
  result.intervals.back().interval = absl::InvalidArgumentError("no way");
  result.rules.push_back(
      {Rule::kWelch, stats::RuleDecision{"welch", stats::Change::kSlower, 0.25, 1.5}});
  result.rules.push_back({Rule::kMmtests, absl::InvalidArgumentError("nothing")});
  EXPECT_EQ(CsvText({result}),
            std::string(kHeader) +
                "\"BM<a, b>\",10,100,3,interval,t,0.99,trimmed,1.25,1.125,1.5,SLOWER,,,\n"
                "\"BM<a, b>\",10,100,3,interval,t,0.99,trimmed,1.25,0,inf,SLOWER,,,\"few, too "
                "few\"\n"
                "\"BM<a, b>\",10,100,3,interval,t,0.99,trimmed,,,,,,,no way\n"
                "\"BM<a, b>\",10,100,3,rule,welch,,,,,,slower,0.25,1.5,\n"
                "\"BM<a, b>\",10,100,3,rule,mmtests,,,,,,,,,nothing\n");
}

TEST(CsvText, TheTotalRatioIsALineWhereItDecides) {
  BenchmarkResult result;
  result.name = "BM";
  result.intervals.push_back(Interval(0.9, 1.1, ""));
  result.decision.interval = {1.5, 1.25, 1.75, 0.99, stats::IntervalKind::kT, ""};
  result.decision.verdict = stats::Verdict::kSlower;
  EXPECT_THAT(CsvText({result}), testing::Not(testing::HasSubstr("total")));
  result.decision.total_decides = true;
  EXPECT_THAT(CsvText({result}),
              testing::HasSubstr("BM,0,0,0,interval,total,0.99,,1.5,1.25,1.75,SLOWER,,,\n"));
}

TEST(CsvText, ABenchmarkWithoutResultIsALine) {
  BenchmarkResult result;
  result.name = "BM";
  result.error = "no pair";
  EXPECT_EQ(CsvText({result}), std::string(kHeader) + "BM,0,0,0,error,,,,,,,,,,no pair\n");
}

TEST(CsvText, UnpairedTimesHaveTheSameColumns) {
  UnpairedResult result;
  result.benchmarks.emplace_back();
  result.benchmarks[0].name = "BM";
  result.benchmarks[0].rules.push_back(
      {Rule::kOverlap, stats::RuleDecision{"ci-overlap", stats::Change::kNone, std::nullopt, 1.0}});
  EXPECT_EQ(CsvText(result),
            std::string(kHeader) + "BM,,,,rule,ci-overlap,,,,,,no difference,,1,\n");
}

}  // namespace
}  // namespace duetbench::duet_stat
