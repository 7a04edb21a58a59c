#include "duetbench/record/verdict.h"

#include <cmath>
#include <limits>

#include "duetbench/decide/interval.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RatioInterval Interval(double lo, double hi) { return {(lo + hi) / 2, lo, hi, 0.99}; }

TEST(Decide, FollowsTheBandFirst) {
  EXPECT_EQ(Decide(Interval(0.995, 1.005), 0.01), Verdict::kEqual);
  EXPECT_EQ(Decide(Interval(1.002, 1.006), 0.01), Verdict::kEqual);  // proved, but small
  EXPECT_EQ(Decide(Interval(1.002, 1.02), 0.01), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(1.02, 1.03), 0.01), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(0.97, 0.98), 0.01), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(0.97, 0.999), 0.01), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(0.97, 1.001), 0.01), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(0, HUGE_VAL), 0.01), Verdict::kInconclusive);
}

TEST(Decide, TheBandIsSymmetricInTheRatioAndClosed) {
  EXPECT_EQ(Decide(Interval(1 / 1.01, 1.01), 0.01), Verdict::kEqual);
  EXPECT_EQ(Decide(Interval(0.99, 1.0), 0.01), Verdict::kInconclusive);  // below 1/1.01
}

TEST(Decide, WithoutAMarginIsThePapersRule) {
  EXPECT_EQ(Decide(Interval(0.9999, 1.0001), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1.0001, 1.0002), 0), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(0.9998, 0.9999), 0), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(1, 1.1), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(0.9, 1), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1, 1), 0), Verdict::kEqual);
}

TEST(Decide, NothingFollowsFromNaN) {
  EXPECT_EQ(Decide(Interval(kNan, 0.9), 0.01), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1.1, kNan), 0.01), Verdict::kInconclusive);
}

}  // namespace
}  // namespace duetbench::stats
