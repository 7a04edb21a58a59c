#include "duetbench/estimate/pool_repetitions.h"

#include <cmath>
#include <optional>
#include <vector>

#include "duetbench/stats/interval.h"
#include "gtest/gtest.h"
#include "tests/estimate/run_values_of.h"

namespace duetbench {
namespace {

Estimate RepetitionOf(const std::vector<double>& run_log_ratios) {
  Estimate repetition;
  repetition.runs = repetition.runs_planned = static_cast<int>(run_log_ratios.size());
  repetition.run_values = RunValuesOf(run_log_ratios);
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
  for (int layout = 0; layout < 3; ++layout) one.run_values[layout].layout = layout;
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

TEST(PoolRepetitions, SettingsAreThoseOfTheRepetitions) {
  Estimate repetition = RepetitionOf({0.10, 0.12});
  repetition.threads = 4;
  repetition.cpus_per_variant = kAllCpus;
  repetition.schedule = Schedule::kAlternating;
  const std::optional<Estimate> pooled = PoolRepetitions({&repetition, &repetition});
  EXPECT_EQ(pooled->threads, 4);
  EXPECT_EQ(pooled->cpus_per_variant, kAllCpus) << "'on all CPUs', not 'on one CPU'";
  EXPECT_EQ(pooled->schedule, Schedule::kAlternating);
}

// The floor and the least spread hold for repetitions as for the runs of one.
TEST(PoolRepetitions, AreNoMoreCertainThanTheirRuns) {
  const Estimate a = RepetitionOf({0.0005, 0.00051});
  const std::optional<Estimate> pooled = PoolRepetitions({&a, &a});
  EXPECT_LT(pooled->interval.lo, 1);
  EXPECT_GT(pooled->interval.hi, 1.001);
  const Estimate many = RepetitionOf(std::vector<double>(20, 0.0005));
  EXPECT_GE(PoolRepetitions({&many, &many})->interval.hi / std::exp(0.0005), 1.00009999);
}

TEST(PoolRepetitions, ThereIsNoIntervalOfNothing) { EXPECT_FALSE(PoolRepetitions({}).has_value()); }

}  // namespace
}  // namespace duetbench
