#include "duetbench/experiment/pool_repetitions.h"

#include <optional>
#include <vector>

#include "duetbench/stats/interval.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

Estimate RepetitionOf(const std::vector<double>& run_log_ratios) {
  Estimate repetition;
  repetition.runs = repetition.runs_planned = static_cast<int>(run_log_ratios.size());
  repetition.run_log_ratios = run_log_ratios;
  repetition.interval.level = 0.9;
  repetition.margin = 0.01;
  repetition.time_ns[0] = 100 * static_cast<double>(run_log_ratios.size());
  repetition.pairs = 50;
  repetition.dropped = 2;
  repetition.iterations[1] = 7;
  return repetition;
}

TEST(PoolRepetitions, TheIntervalIsThatOfAllRuns) {
  const Estimate a = RepetitionOf({0.10, 0.12});
  const Estimate b = RepetitionOf({0.11, 0.13, 0.12, 0.14});
  const std::optional<Estimate> pooled = PoolRepetitions({&a, &b});
  const auto expected = stats::TInterval({0.10, 0.12, 0.11, 0.13, 0.12, 0.14}, 0.9);
  ASSERT_TRUE(expected.ok());
  ASSERT_TRUE(pooled.has_value());
  EXPECT_EQ(pooled->interval.ratio, expected->ratio);
  EXPECT_EQ(pooled->interval.lo, expected->lo);
  EXPECT_EQ(pooled->interval.hi, expected->hi);
  EXPECT_EQ(pooled->verdict, stats::Verdict::kSlower);
  EXPECT_EQ(pooled->runs, 6);
  EXPECT_EQ(pooled->pairs, 100u);
  EXPECT_EQ(pooled->dropped, 4u);
  EXPECT_EQ(pooled->iterations[1], 14u);
  EXPECT_NEAR(pooled->time_ns[0], 300, 1e-9) << "mean of 200 and 400";
}

TEST(PoolRepetitions, OfSeveralLayoutsAveragesEachLayout) {
  Estimate one = RepetitionOf({0, 0.1, 0.2});
  one.layouts.emplace();
  const std::optional<Estimate> pooled = PoolRepetitions({&one, &one, &one});
  const auto expected = stats::TInterval({0, 0.1, 0.2}, 0.9);
  ASSERT_TRUE(expected.ok());
  ASSERT_TRUE(pooled.has_value());
  EXPECT_EQ(pooled->run_log_ratios.size(), 3u);
  EXPECT_NEAR(pooled->interval.lo, expected->lo, 1e-9);
  EXPECT_NEAR(pooled->interval.hi, expected->hi, 1e-9);
}

TEST(PoolRepetitions, WhatLimitedOneLimitsAll) {
  const Estimate a = RepetitionOf({0.10, 0.12});
  Estimate b = RepetitionOf({0.11, 0.13});
  b.interrupted = b.this_process_only = b.kept_disturbed = true;
  b.schedule_reason = "its pilot was narrower";
  const std::optional<Estimate> pooled = PoolRepetitions({&a, &b});
  EXPECT_EQ(pooled->schedule_reason, "its pilot was narrower");
  EXPECT_TRUE(pooled->interrupted);
  EXPECT_TRUE(pooled->this_process_only);
  EXPECT_TRUE(pooled->kept_disturbed);
}

TEST(PoolRepetitions, ThereIsNoIntervalOfNothing) { EXPECT_FALSE(PoolRepetitions({}).has_value()); }

}  // namespace
}  // namespace duetbench
