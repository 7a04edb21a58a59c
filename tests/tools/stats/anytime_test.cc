#include "tools/stats/anytime.h"

#include <cmath>
#include <vector>

#include "duetbench/stats/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(AnytimeInterval, OfFewRunsIsUnboundedAndSaysSo) {
  IntervalOptions options;
  options.kind = IntervalKind::kAnytime;
  options.level = 0.99;
  const RatioInterval unbounded = IntervalOfRuns({0.1, 0.2, 0.3, 0.1, 0.2}, options).value();
  EXPECT_EQ(unbounded.lo, 0);
  EXPECT_EQ(unbounded.hi, HUGE_VAL);
  EXPECT_THAT(unbounded.warning, HasSubstr("5 runs cannot bound"));
  const RatioInterval equal = IntervalOfRuns({0.1, 0.1, 0.1}, options).value();
  EXPECT_EQ(equal.hi, HUGE_VAL);
  const RatioInterval bounded = IntervalOfRuns({0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, options).value();
  EXPECT_GT(bounded.lo, 0);
  EXPECT_LT(bounded.hi, HUGE_VAL);
  EXPECT_THAT(bounded.warning, IsEmpty());
}

// Every look at an experiment that goes on: few false alarms in all, where t has many.
TEST(AnytimeInterval, MayBeLookedAtAfterEveryRun) {
  Random random(5);
  int anytime_alarms = 0;
  int t_alarms = 0;
  const int experiments = 1000;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    std::vector<double> runs;
    bool anytime_alarm = false;
    bool t_alarm = false;
    for (int r = 0; r < 30; ++r) {
      double sum = 0;  // of 12 uniforms: nearly normal
      for (int k = 0; k < 12; ++k) sum += random.Uniform() - 0.5;
      runs.push_back(sum);
      if (r < 2) continue;
      IntervalOptions options;
      options.level = 0.95;
      const RatioInterval t = IntervalOfRuns(runs, options).value();
      options.kind = IntervalKind::kAnytime;
      const RatioInterval anytime = IntervalOfRuns(runs, options).value();
      t_alarm |= t.lo > 1 || t.hi < 1;
      anytime_alarm |= anytime.lo > 1 || anytime.hi < 1;
    }
    anytime_alarms += anytime_alarm ? 1 : 0;
    t_alarms += t_alarm ? 1 : 0;
  }
  EXPECT_LT(anytime_alarms, 0.05 * experiments);
  EXPECT_GT(t_alarms, 0.15 * experiments);
}

}  // namespace
}  // namespace duetbench::stats
