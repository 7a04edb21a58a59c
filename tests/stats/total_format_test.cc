#include "duetbench/stats/total_format.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;
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

TEST(TotalSentence, NamesTheSlowerVariantAndItsCalls) {
  EXPECT_EQ(TotalSentence(Around(1), Total(2, {50, 2}, {9876, 10432})),
            "typical 1.000 x, total 2.000 x: one call in about 10,000 of new takes 10,000 times as "
            "long");
  EXPECT_EQ(TotalSentence(Around(1), Total(0.5, {12.4, 9.7}, {})),
            "typical 1.000 x, total 0.5000 x: one call in about 10 of old takes 10 times as long");
}

TEST(TotalSentence, SaysNoMoreThanIsKnown) {
  EXPECT_THAT(TotalSentence(Around(1), Total(1.1, {}, {})),
              HasSubstr("rare calls of new take longer"));
  EXPECT_THAT(TotalSentence(Around(1), Total(1.1, {}, {1.2, 3})),
              HasSubstr("the times of calls of new differ much"));
}

TEST(UnseenText, IsRounded) {
  EXPECT_EQ(UnseenText(1e7), "calls rarer than 1 in 2,000,000 were not seen");
  EXPECT_EQ(UnseenText(20), "calls rarer than 1 in 4 were not seen");
  EXPECT_EQ(UnseenText(1), "calls rarer than 1 in 1 were not seen");
}

TEST(Explain, TheTotalTakesThePlaceOfTheTails) {
  Diagnosis diagnosis{};
  diagnosis.tails = TailDifference{0.04, 0.001, 1e-6, true};
  TotalRatio total = Total(2, {}, {100, 101});
  EXPECT_THAT(Explain(diagnosis, false, Around(1), &total),
              ElementsAre(HasSubstr("one call in about 100 of new")));
  total.differs = false;
  EXPECT_THAT(Explain(diagnosis, false, Around(1), &total), ElementsAre(HasSubstr("tails differ")));
  EXPECT_THAT(Explain(diagnosis, false, Around(1), nullptr),
              ElementsAre(HasSubstr("tails differ")));
}

}  // namespace
}  // namespace duetbench::stats
