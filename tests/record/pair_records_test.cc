#include "duetbench/record/pair_records.h"

#include <cmath>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

Sample TimedSample(uint64_t start, uint64_t stop) {
  Sample sample{};
  sample.start = start;
  sample.stop = stop;
  sample.iterations = 10;
  return sample;
}

PairRecord OnePair(const Sample& old_sample, const Sample& new_sample, const RunPlan& plan,
                   uint64_t overhead_ticks = 0) {
  const std::vector<PairRecord> pairs =
      MakePairs({&old_sample, 1}, {&new_sample, 1}, plan, overhead_ticks);
  EXPECT_EQ(pairs.size(), 1u);
  return pairs.at(0);
}

TEST(MakePairs, TakesOffPausesAndTheOverheadOfTheClock) {
  Sample old_sample = TimedSample(1000, 2000);
  old_sample.paused = 300;
  const Sample new_sample = TimedSample(1010, 3010);
  const PairRecord pair = OnePair(old_sample, new_sample, RunPlan(), 50);
  EXPECT_EQ(pair.ticks[0], 650);
  EXPECT_EQ(pair.ticks[1], 1950);
  EXPECT_EQ(pair.flags, 0u);
  EXPECT_EQ(pair.iterations[0], 10u);
}

TEST(MakePairs, WhatIsNotLongerThanTheOverheadHasNoTime) {
  for (const uint64_t length : {uint64_t{0}, uint64_t{49}, uint64_t{50}}) {
    const PairRecord pair = OnePair(TimedSample(0, 1000), TimedSample(0, length), RunPlan(), 50);
    EXPECT_EQ(pair.ticks[0], 950);
    EXPECT_EQ(pair.ticks[1], 0);
    EXPECT_EQ(pair.flags, kNoTime);
  }
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(0, 51), RunPlan(), 50).flags, 0u);
  Sample paused = TimedSample(0, 100);
  paused.paused = 200;
  EXPECT_EQ(OnePair(paused, TimedSample(0, 100), RunPlan()).flags, kNoTime);
}

TEST(MakePairs, SkewIsNewMinusOld) {
  const RunPlan plan;
  EXPECT_EQ(OnePair(TimedSample(1000, 2000), TimedSample(1030, 2000), plan).skew_ticks, 30);
  EXPECT_EQ(OnePair(TimedSample(1030, 2000), TimedSample(1000, 2000), plan).skew_ticks, -30);
}

TEST(MakePairs, FlagsTellWhoWasDisturbedAndHow) {
  const RunPlan plan;
  const Sample quiet = TimedSample(0, 1000);
  Sample preempted = quiet;
  preempted.involuntary_switches = 1;
  Sample migrated = quiet;
  migrated.cpu_at_start = 1;
  Sample blocked = quiet;
  blocked.voluntary_switches = 3;
  EXPECT_EQ(OnePair(quiet, quiet, plan).flags, 0u);
  EXPECT_EQ(OnePair(preempted, quiet, plan).flags, kOldPreempted | kOnCpuTime);
  EXPECT_EQ(OnePair(quiet, preempted, plan).flags, kNewPreempted | kOnCpuTime);
  EXPECT_EQ(OnePair(migrated, quiet, plan).flags, kOldMigrated);
  EXPECT_EQ(OnePair(quiet, migrated, plan).flags, kNewMigrated);
  EXPECT_EQ(OnePair(preempted, migrated, plan).flags, kOldPreempted | kNewMigrated);
  EXPECT_EQ(OnePair(blocked, quiet, plan).flags, 0u) << "blocking is what the iteration does";
}

TEST(MakePairs, TheTimeOfAPreemptedSampleIsThatOnTheCpu) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  const Sample quiet = TimedSample(0, 1000);
  Sample preempted = TimedSample(0, 9000);
  preempted.involuntary_switches = 1;
  preempted.blocked_ns = 3900;
  const PairRecord pair = OnePair(quiet, preempted, plan, 20);
  EXPECT_EQ(pair.ticks[0], 980);
  EXPECT_EQ(pair.ticks[1], 9000 - 20 - 2 * 3900);
  EXPECT_EQ(pair.flags, kNewPreempted | kOnCpuTime);
  // The share of sleep in the time off the CPU is not known.
  preempted.voluntary_switches = 1;
  EXPECT_EQ(OnePair(quiet, preempted, plan, 20).ticks[1], 8980);
  EXPECT_EQ(OnePair(quiet, preempted, plan, 20).flags, kNewPreempted);
  preempted.voluntary_switches = 0;
  plan.manual_time = 1;
  EXPECT_EQ(OnePair(quiet, preempted, plan, 20).flags & kOnCpuTime, 0u);
}

TEST(MakePairs, VariantsThatShareTheirCpuPreemptEachOther) {
  RunPlan plan;
  plan.schedule = Schedule::kSliced;
  Sample sample = TimedSample(0, 9000);
  sample.involuntary_switches = 3;
  sample.blocked_ns = 4000;
  const PairRecord pair = OnePair(sample, sample, plan);
  EXPECT_EQ(pair.ticks[0], 9000 - 4000 / plan.ns_per_tick);
  EXPECT_EQ(pair.flags, 0u);
  sample.voluntary_switches = 1;
  EXPECT_EQ(OnePair(sample, sample, plan).flags, kOldPreempted | kNewPreempted);
}

TEST(MakePairs, APreemptionHardlyDisturbsALongSample) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  const Sample quiet = TimedSample(0, 24'000'000);
  Sample preempted = TimedSample(0, 30'000'000);
  preempted.involuntary_switches = 1;
  preempted.blocked_ns = 3'000'000;
  PairRecord pair = OnePair(quiet, preempted, plan);
  EXPECT_EQ(pair.ticks[1], 24'000'000) << "its time on the CPU, 12 ms";
  EXPECT_EQ(pair.flags, 0u);
  preempted.involuntary_switches = 2;
  EXPECT_EQ(OnePair(quiet, preempted, plan).flags, kNewPreempted | kOnCpuTime);
  preempted.involuntary_switches = 1;
  preempted.voluntary_switches = 1;
  EXPECT_EQ(OnePair(quiet, preempted, plan).flags, kNewPreempted) << "its time is not known";
}

TEST(MakePairs, CpuTimeIsWithoutPausesAndWithoutWhatWasBlocked) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  Sample old_sample = TimedSample(0, 10'000);
  old_sample.paused = 1000;
  old_sample.blocked_ns = 700;
  Sample new_sample = TimedSample(0, 10'000);
  new_sample.blocked_ns = 1e9;
  const PairRecord pair = OnePair(old_sample, new_sample, plan);
  EXPECT_EQ(pair.cpu_ns[0], 5000 - 500 - 700);
  EXPECT_EQ(pair.cpu_ns[1], 0);
}

TEST(MakePairs, ManualTimesStandForTheMeasuredOnes) {
  RunPlan plan;
  plan.manual_time = 1;
  plan.ns_per_tick = 0.5;
  Sample old_sample = TimedSample(0, 1000);
  old_sample.manual_seconds = 2e-6;
  Sample new_sample = TimedSample(0, 0);
  new_sample.manual_seconds = 3e-6;
  const PairRecord pair = OnePair(old_sample, new_sample, plan, 50);
  EXPECT_NEAR(pair.ticks[0], 4000, 1e-9);
  EXPECT_NEAR(pair.ticks[1], 6000, 1e-9);
  EXPECT_EQ(pair.flags, 0u);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    new_sample.manual_seconds = bad;
    EXPECT_EQ(OnePair(old_sample, new_sample, plan).flags, kNoTime) << bad;
  }
}

TEST(MakePairs, KeepsOrderPlaceAndAssignment) {
  std::vector<Sample> old_samples;
  for (uint64_t i = 0; i < 4; ++i) {
    Sample sample = TimedSample(100 * i, 100 * i + 50);
    sample.pair_index = 10 + i;
    sample.block = static_cast<uint32_t>(i / 2);
    sample.assignment = static_cast<uint8_t>(i / 2);
    sample.cpu_at_start = sample.cpu_at_stop = static_cast<uint16_t>(i);
    old_samples.push_back(sample);
  }
  std::vector<Sample> new_samples = old_samples;
  new_samples.pop_back();  // new ended first
  for (Sample& sample : new_samples) sample.cpu_at_start = sample.cpu_at_stop = 9;
  const std::vector<PairRecord> pairs = MakePairs(old_samples, new_samples, RunPlan(), 0);
  ASSERT_EQ(pairs.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pairs[i].pair_index, 10u + i);
    EXPECT_EQ(pairs[i].block, i / 2);
    EXPECT_EQ(pairs[i].assignment, i / 2);
    EXPECT_EQ(pairs[i].cpus[0], static_cast<int>(i));
    EXPECT_EQ(pairs[i].cpus[1], 9);
  }
  EXPECT_TRUE(MakePairs({}, {}, RunPlan(), 0).empty());
}

TEST(MakePairs, InTurnsTheSmallerPlaceGoesFirst) {
  RunPlan plan;
  plan.schedule = Schedule::kInterleaved;
  Sample first = TimedSample(0, 50);
  Sample third = TimedSample(200, 250);
  third.assignment = 2;
  EXPECT_EQ(OnePair(first, third, plan).assignment, 0u);
  EXPECT_EQ(OnePair(third, first, plan).assignment, 1u);
}

TEST(SecondsPerIteration, IsTheTrimmedMeanOfWhatWasNotDisturbed) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  std::vector<Sample> samples(20, TimedSample(0, 1050));
  samples[3].stop = 1'000'000;  // trimmed
  EXPECT_NEAR(SecondsPerIteration(samples.data(), samples.size(), plan, 50), 50e-9, 1e-18);
  for (Sample& sample : samples) sample.involuntary_switches = 1;
  samples[7] = TimedSample(0, 2050);
  EXPECT_NEAR(SecondsPerIteration(samples.data(), samples.size(), plan, 50), 100e-9, 1e-18);
}

// A rate of a run on a busy machine is better than none.
TEST(SecondsPerIteration, IsOfAllSamplesWhereAllWereDisturbed) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  std::vector<Sample> samples(20, TimedSample(0, 1050));
  for (Sample& sample : samples) sample.involuntary_switches = 1;
  EXPECT_NEAR(SecondsPerIteration(samples.data(), samples.size(), plan, 50), 50e-9, 1e-18);
  EXPECT_EQ(SecondsPerIteration(nullptr, 0, plan, 50), 0);
}

}  // namespace
}  // namespace duetbench
