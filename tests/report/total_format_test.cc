#include "duetbench/report/total_format.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;

RatioInterval Around(double ratio) {
  return {ratio, ratio * 0.99, ratio * 1.01, 0.99, IntervalKind::kT, ""};
}

TotalRatio Total(double ratio, SlowCalls of_old, SlowCalls of_new) {
  TotalRatio total{};
  total.interval = Around(ratio);
  total.differs = true;
  total.slow_calls[0] = of_old;
  total.slow_calls[1] = of_new;
  return total;
}

TEST(TotalSentence, NamesTheSlowCallsOfOldToo) {
  EXPECT_EQ(TotalSentence(Around(1), Total(0.5, {12.4, 9.7}, {})),
            "typical 1.000 x, total 0.5000 x: one call in about 10 of old takes 10 times as long");
  EXPECT_THAT(TotalSentence(Around(1), Total(1.1, {}, {1.2, 3})),
              HasSubstr("long samples are a larger part of the time of new"));
}

// One call in 1,000 that takes 400 times as long would be 40 % of the others' time.
TEST(TotalSentence, NamesNoSlowCallsThatDoNotExplainTheDifference) {
  EXPECT_EQ(TotalSentence(Around(1.848), Total(1.705, {1000, 400}, {})),
            "typical 1.848 x, total 1.705 x: long samples are a larger part of the time of old");
  EXPECT_THAT(TotalSentence(Around(1.848), Total(1.848 / 1.4, {1000, 400}, {})),
              HasSubstr("one call in about 1,000 of old takes 400 times as long"));
  EXPECT_THAT(TotalSentence(Around(1), Total(2, {}, {1000, 50})), HasSubstr("long samples"))
      << "5 % do not double a time";
}

TEST(UnseenText, IsRounded) {
  EXPECT_EQ(UnseenText(1e7), "calls rarer than 1 in 2,000,000 were not seen");
  EXPECT_EQ(UnseenText(20), "calls rarer than 1 in 4 were not seen");
  EXPECT_EQ(UnseenText(1), "calls rarer than 1 in 1 were not seen");
}

TEST(TotalFinding, IsOneWhereTheVerdictDiffersOrCallsAreSlow) {
  const TotalRatio alike = Total(0.93, {}, {});
  EXPECT_EQ(TotalFinding(Around(0.936), alike), "") << "both are FASTER";
  EXPECT_THAT(TotalFinding(Around(0.995), alike), HasSubstr("typical 0.995"));
  EXPECT_THAT(TotalFinding(Around(1.5), Total(2, {}, {100, 35})),
              HasSubstr("one call in about 100 of new"));
}

}  // namespace
}  // namespace duetbench::stats
