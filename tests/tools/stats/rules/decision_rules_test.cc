#include "tools/stats/rules/decision_rules.h"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::stats {
namespace {

using ::testing::HasSubstr;

// Times around `center` of `runs` runs: normal noise of 1 % within, `run_spread` between.
Sample Times(std::mt19937_64& engine, double center, std::size_t runs, std::size_t iterations,
             double run_spread = 0) {
  std::normal_distribution<double> normal;
  Sample sample;
  for (std::size_t r = 0; r < runs; ++r) {
    const double run_center = center * (1 + run_spread * normal(engine));
    std::vector<double>& run = sample.runs.emplace_back();
    for (std::size_t i = 0; i < iterations; ++i) {
      run.push_back(run_center * (1 + 0.01 * normal(engine)));
    }
  }
  return sample;
}

constexpr Rule kUnpaired[] = {Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch, Rule::kMmtests};

RuleOptions With(const Resampling& resampling) {
  RuleOptions options;
  options.resampling = resampling;
  return options;
}

// By kUnpaired.
std::vector<RuleDecision> UnpairedRules(const Sample& old_times, const Sample& new_times) {
  std::vector<RuleDecision> decisions;
  for (const Rule rule : kUnpaired) {
    decisions.push_back(*ApplyRule(rule, old_times, new_times, With({400, 1})));
  }
  return decisions;
}

RuleDecision Apply(Rule rule, const Sample& old_times, const Sample& new_times) {
  return ApplyRule(rule, old_times, new_times).value();
}

RatioInterval Interval(double lo, double ratio, double hi) { return {ratio, lo, hi, 0.99}; }

TEST(DuetRule, LooksWhetherTheIntervalExcludesOne) {
  EXPECT_EQ(DuetRule(Interval(1.001, 1.01, 1.02)).decision, Change::kSlower);
  EXPECT_EQ(DuetRule(Interval(0.9, 0.95, 0.999)).decision, Change::kFaster);
  EXPECT_EQ(DuetRule(Interval(1.0, 1.01, 1.02)).decision, Change::kNone);
  EXPECT_EQ(DuetRule(Interval(0.9, 1.01, 1.02)).effect, 1.01);
}

TEST(UnpairedRules, FindAClearDifferenceInBothDirections) {
  std::mt19937_64 engine(1);
  const Sample slow = Times(engine, 105, 10, 30);
  const Sample fast = Times(engine, 100, 10, 30);
  const std::vector<RuleDecision> slower = UnpairedRules(fast, slow);
  const std::vector<RuleDecision> faster = UnpairedRules(slow, fast);
  const std::vector<RuleDecision> same = UnpairedRules(fast, fast);
  for (std::size_t i = 0; i < slower.size(); ++i) {
    EXPECT_EQ(slower[i].decision, Change::kSlower) << i;
    EXPECT_EQ(faster[i].decision, Change::kFaster) << i;
    EXPECT_EQ(same[i].decision, Change::kNone) << i;
    if (kUnpaired[i] == Rule::kWilcoxon) {
      EXPECT_GT(*slower[i].effect, 0.9);
    } else {
      EXPECT_NEAR(*slower[i].effect, 1.05, 0.005) << i;
    }
  }
}

// The two halves of Laaber's rule: a difference must be significant and medium.
TEST(WilcoxonRule, NeedsSignificanceAndAMediumEffect) {
  std::mt19937_64 engine(4);
  // 0.2 standard deviations apart: delta = 0.11, negligible however many values prove it.
  const auto small =
      Apply(Rule::kWilcoxon, Times(engine, 100, 10, 500), Times(engine, 100.2, 10, 500));
  EXPECT_LT(*small.p, 1e-6);
  EXPECT_LT(*small.effect, 0.147);
  EXPECT_EQ(small.decision, Change::kNone);
  // Large effect, but three against three: the smallest possible p is 0.1.
  EXPECT_FALSE(ApplyRule(Rule::kWilcoxon, {{{1, 2, 3}}, {}}, {{{4, 5, 6}}, {}}).ok());
  // Four against four: p = 2/70.
  const auto enough = Apply(Rule::kWilcoxon, {{{1, 2, 3, 3.5}}, {}}, {{{4, 5, 6, 7}}, {}});
  EXPECT_NEAR(*enough.p, 2 / 70.0, 1e-12);
  EXPECT_EQ(enough.decision, Change::kSlower);
}

// Two machines that differ by 10 %, and two others: by their runs alone old and new would differ.
TEST(OverlapRule, MachinesWiden) {
  Sample low;
  Sample high;
  for (int r = 0; r < 10; ++r) {
    low.runs.push_back(std::vector<double>(5, r < 5 ? 100.0 : 110.0));
    high.runs.push_back(std::vector<double>(5, r < 5 ? 106.0 : 122.0));
  }
  EXPECT_EQ(Apply(Rule::kOverlap, low, high).decision, Change::kSlower);
  low.machine = high.machine = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  EXPECT_EQ(Apply(Rule::kOverlap, low, high).decision, Change::kNone);
}

TEST(WelchRule, TakesOneValueOfEachRun) {
  const Sample old_times{{{1, 3}, {2, 4}, {4, 4}}, {}};  // means 2, 3, 4
  const Sample new_times{{{5}, {7}}, {}};
  const auto rule = Apply(Rule::kWelch, old_times, new_times);
  EXPECT_NEAR(*rule.effect, 2.0, 1e-14);
  EXPECT_DOUBLE_EQ(*rule.p, WelchTTest({5, 7}, {2, 3, 4}).p);
  EXPECT_EQ(rule.decision, Change::kNone);
}

TEST(WelchRule, SingleRunsGiveTheirIterations) {
  const auto rule = Apply(Rule::kWelch, {{{10, 10.1, 9.9, 10}}, {}}, {{{11, 11.1, 10.9, 11}}, {}});
  EXPECT_EQ(rule.decision, Change::kSlower);
  EXPECT_NEAR(*rule.effect, 1.1, 1e-12);
  EXPECT_FALSE(ApplyRule(Rule::kWelch, {{{10}}, {}}, {{{11, 12}}, {}}).ok());
}

TEST(UnpairedRules, SayWhatIsWrongWithTheirInput) {
  const Sample good{{{1, 2}}, {}};
  const auto message = [&](const Sample& bad) {
    return std::string(ApplyRule(Rule::kWilcoxon, good, bad).status().message());
  };
  const std::pair<Sample, const char*> kBad[] = {
      {{{}, {}}, "new: there are no runs"},
      {{{{1}, {}}, {}}, "run 1 has no iterations"},
      {{{{1}, {2, 0}}, {}}, "run 1, iteration 1: the time 0"},
      {{{{1, NAN}}, {}}, "nan"},
      {{{{1}}, {1, 2}}, "machine numbers"}};
  for (const auto& [sample, words] : kBad) EXPECT_THAT(message(sample), HasSubstr(words));
  const Sample one{{{100}}, {}};
  for (const Rule rule : kUnpaired) EXPECT_FALSE(ApplyRule(rule, one, {{{150}}, {}}).ok());
  const Sample bad{{{-1}}, {}};
  EXPECT_FALSE(ApplyRule(Rule::kOverlap, good, bad).ok());
  EXPECT_FALSE(ApplyRule(Rule::kOverlap, good, good, With({1, 1})).ok());
  EXPECT_FALSE(ApplyRule(Rule::kWelch, bad, good).ok());
  EXPECT_FALSE(ApplyRule(Rule::kMmtests, good, bad).ok());
  EXPECT_THAT(std::string(ApplyRule(Rule::kWelch, bad, good).status().message()),
              HasSubstr("old: "));
}

TEST(SubSelectionMedian, TakesFourFifths) {
  // 8 of 10 values of which one is 100 and the others 0: the average is 0 or 12.5, with probability
  // 0.2 and 0.8, so the median of 100 is 12.5.
  Random random(2);
  const std::vector<double> values = {0, 0, 0, 0, 100, 0, 0, 0, 0, 0};
  for (int trial = 0; trial < 20; ++trial) {
    EXPECT_DOUBLE_EQ(SubSelectionMedian(values, Average::kArithmetic, random), 12.5);
  }
}

// Two runs a variant: the replicates of a mean are 10 (1/4), 11 (1/2) and 12 (1/4), so those of the
// difference reach from -2 to 2, each extreme with probability 1/16.
TEST(DifferenceOfMeans, ResamplesEachVariantOnItsOwn) {
  const Sample sample{{{10}, {12}}, {}};
  const auto wide = DifferenceOfMeans(sample, sample, 0.99);
  ASSERT_TRUE(wide.ok());
  EXPECT_DOUBLE_EQ(wide->difference, 0);
  EXPECT_DOUBLE_EQ(wide->lo * 11, -2);
  EXPECT_DOUBLE_EQ(wide->hi * 11, 2);
  // Beyond +-2 lie 6.25 % on each side: at 80 % the ends are +-1.
  const auto narrow = DifferenceOfMeans(sample, sample, 0.8);
  ASSERT_TRUE(narrow.ok());
  EXPECT_DOUBLE_EQ(narrow->lo * 11, -1);
  EXPECT_DOUBLE_EQ(narrow->hi * 11, 1);
}

TEST(DifferenceOfMeans, WinsorizationTakesTheOutlierOfARun) {
  std::vector<double> even;  // no value is further out than 20 % of the range of the others
  for (int i = 0; i < 11; ++i) even.push_back(10 + 0.1 * i);
  std::vector<double> with_spike = even;
  with_spike.back() = 100;
  const Sample spiked{{with_spike, even}, {}};
  std::vector<double> cut = even;
  cut.back() = 10.9;
  const Sample plain{{cut, even}, {}};
  const auto as_it_is = DifferenceOfMeans(plain, spiked, 0.99);
  const auto winsorized = DifferenceOfMeans(plain, spiked, 0.99, {}, /*winsorize=*/true);
  ASSERT_TRUE(as_it_is.ok() && winsorized.ok());
  EXPECT_GT(as_it_is->Width(), 20 * winsorized->Width());
  EXPECT_DOUBLE_EQ(winsorized->difference, 0);
}

TEST(DifferenceOfMeans, NeedsTwoRunsOfEach) {
  const Sample one{{{1, 2}}, {}};
  const Sample two{{{1, 2}, {1}}, {}};
  EXPECT_THAT(std::string(DifferenceOfMeans(one, two, 0.99).status().message()),
              HasSubstr("needs two runs of each variant"));
  EXPECT_FALSE(DifferenceOfMeans(two, one, 0.99).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, two, 1).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, two, 0.99, {1, 1}).ok());
  EXPECT_FALSE(DifferenceOfMeans(two, {{{1}, {0}}, {}}, 0.99).ok());
}

}  // namespace
}  // namespace duetbench::stats
