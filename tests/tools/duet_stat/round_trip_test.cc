// Round trip: duet_stat computes the numbers that a program reports from its file of pairs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/decide/summarize.h"
#include "duetbench/report/diagnosis_format.h"
#include "duetbench/report/pairs_file.h"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/duet_stat/analysis.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double kNsPerTick = 0.3125;

// An experiment as it was measured. Shares are those of the pairs.
struct Measured {
  int runs = 10;
  int pairs = 60;
  uint64_t batch[2] = {100, 100};
  double disturbed = 0;
  double without_time = 0;
  double without_cpu_time = 0;
  bool interleaved = false;
  int disturbed_run = -1;  // all of whose pairs are disturbed
  bool alone = false;      // every twentieth pair
  double slow = 0;         // samples of new that take 30 times as long
  int noisy_runs = 0;      // whose times vary by half
  double spread = 0.1;     // of the logarithms of the times
  double log_ratio = std::log(1.03);
  int one_sided_runs = 0;   // all pairs of an assignment are disturbed
  bool two_speeds = false;  // old takes twice as long in a half of each run, by turns
  double pause_share = 0;   // of new
};

std::vector<RunResult> Results(const Measured& measured) {
  std::mt19937_64 random(17);
  std::lognormal_distribution<double> ticks(5, measured.spread);
  std::lognormal_distribution<double> waiting(0, std::min(0.3, measured.spread));
  std::uniform_real_distribution<double> share;
  std::vector<RunResult> results(static_cast<size_t>(measured.runs));
  for (int r = 0; r < measured.runs; ++r) {
    results[static_cast<size_t>(r)].pause_share[1] = measured.pause_share;
    for (int i = 0; i < measured.pairs; ++i) {
      PairRecord pair{};
      pair.pair_index = static_cast<uint64_t>(i);
      pair.block = static_cast<uint32_t>(i / 10);
      pair.assignment = pair.block % 2;
      for (int variant = 0; variant < 2; ++variant) {
        pair.iterations[variant] = measured.batch[variant];
        const auto iterations = static_cast<double>(measured.batch[variant]);
        pair.cpu_ns[variant] =
            ticks(random) * iterations * (variant == 1 ? std::exp(measured.log_ratio) : 1);
        pair.ticks[variant] = pair.cpu_ns[variant] / kNsPerTick * (1 + waiting(random));
        const bool is_slow = (i >= measured.pairs / 2) == (r % 2 == 0);
        if (measured.two_speeds && variant == 0 && is_slow) pair.ticks[0] *= 2;
        if (r < measured.noisy_runs) pair.ticks[variant] *= std::pow(waiting(random), 2);
        if (variant == 1 && measured.slow > 0 && share(random) < measured.slow) {
          pair.ticks[variant] *= 30;
        }
        const auto swapped = static_cast<int>(pair.assignment);
        pair.cpus[variant] = measured.interleaved ? 3 : (variant ^ swapped) + 3;
      }
      if (share(random) < measured.disturbed || r == measured.disturbed_run) {
        pair.flags |= i % 2 == 0 ? kNewPreempted : kOldMigrated;
      }
      if (r < measured.one_sided_runs && pair.assignment == 0) pair.flags |= kOldPreempted;
      if (share(random) < measured.without_time) {
        pair.ticks[i % 2] = 0;
        pair.flags |= kNoTime;
      }
      if (share(random) < measured.without_cpu_time) pair.cpu_ns[0] = 0;
      if (i % 20 == 7 && measured.alone) pair.flags |= kAlone;
      results[static_cast<size_t>(r)].pairs.push_back(pair);
    }
  }
  return results;
}

BenchmarkResult ReadAndAnalyze(const std::string& rows) {
  PairsData data = ReadTexts({PairsCsvHeader() + rows}).value();
  EXPECT_EQ(data.benchmarks.size(), 1u);
  return Analyze(std::move(data.benchmarks[0]), Options());
}

// Expects of duet_stat the numbers of the program's own estimate, which it returns.
Comparison ExpectSameNumbers(const Measured& measured, ExperimentOptions options = {}) {
  if (measured.interleaved) options.schedule = Schedule::kInterleaved;
  const Comparison comparison = Summarize(Results(measured), options, kNsPerTick);
  const BenchmarkResult result =
      ReadAndAnalyze(PairsCsvRows("BM_A, \"B\"/64", 0, comparison, kNsPerTick));
  EXPECT_EQ(result.name, "BM_A, \"B\"/64");
  EXPECT_EQ(result.error.empty(), comparison.estimate() != nullptr) << result.error;
  if (comparison.estimate() == nullptr) return comparison;
  const duetbench::Estimate& estimate = *comparison.estimate();
  EXPECT_EQ(result.runs, static_cast<size_t>(estimate.runs));
  EXPECT_EQ(result.dropped, estimate.dropped);
  EXPECT_EQ(result.run_log_ratios, estimate.typical_log_ratios);
  EXPECT_EQ(result.pairs, estimate.pairs);
  EXPECT_EQ(result.uses_disturbed, estimate.kept_disturbed);
  EXPECT_EQ(result.interleaved, measured.interleaved);
  const stats::RatioInterval& interval = result.intervals[0].interval.value();
  EXPECT_EQ(interval.ratio, estimate.typical.ratio);
  EXPECT_EQ(interval.lo, estimate.typical.lo);
  EXPECT_EQ(interval.hi, estimate.typical.hi);
  EXPECT_EQ(interval.kind, estimate.typical.kind);
  EXPECT_EQ(result.decision.total.has_value(), estimate.total.has_value());
  EXPECT_EQ(result.decision.total_decides, estimate.total_decides);
  if (result.decision.total.has_value() && estimate.total.has_value()) {
    EXPECT_EQ(result.decision.total->interval.ratio, estimate.total->interval.ratio);
    EXPECT_EQ(result.decision.total->interval.lo, estimate.total->interval.lo);
    EXPECT_EQ(result.decision.total->interval.hi, estimate.total->interval.hi);
    EXPECT_EQ(result.decision.total->p, estimate.total->p);
  }
  EXPECT_EQ(result.decision.interval.ratio, estimate.interval.ratio);
  EXPECT_EQ(result.decision.interval.lo, estimate.interval.lo);
  EXPECT_EQ(result.decision.interval.hi, estimate.interval.hi);
  EXPECT_EQ(result.decision.verdict, estimate.verdict);
  EXPECT_EQ(result.sentences,
            estimate.diagnosis.has_value()
                ? stats::Explain(*estimate.diagnosis, estimate.typical,
                                 estimate.total.has_value() ? &*estimate.total : nullptr)
                : std::vector<std::string>());
  return comparison;
}

TEST(RoundTrip, UndisturbedPairs) {
  const Comparison comparison = ExpectSameNumbers(Measured());
  EXPECT_EQ(comparison.estimate()->pairs, 600u);
}

TEST(RoundTrip, BatchesOfDifferentSize) {
  Measured measured;
  measured.batch[0] = 1000;
  measured.batch[1] = 7;
  const Comparison comparison = ExpectSameNumbers(measured);
  EXPECT_NEAR(comparison.estimate()->interval.ratio, 1.03, 0.05);
}

// The least half-width, 0.01 %, and the least spread of few runs hold for both.
TEST(RoundTrip, RunsThatVaryByLittle) {
  for (const double spread : {1e-5, 1e-4, 5e-4}) {
    for (const int runs : {2, 10, 17, 18, 40}) {
      for (const double log_ratio : {0.0, 0.0005, 0.0099}) {
        Measured measured;
        measured.spread = spread;
        measured.runs = runs;
        measured.log_ratio = log_ratio;
        const Comparison comparison = ExpectSameNumbers(measured);
        const stats::RatioInterval& interval = comparison.estimate()->interval;
        EXPECT_GE(std::log(interval.hi / interval.lo), 1.9999e-4);
      }
    }
  }
}

TEST(RoundTrip, RunsOfSeveralLayouts) {
  Measured measured;
  measured.runs = 12;
  measured.disturbed = 0.1;
  std::vector<RunResult> results = Results(measured);
  for (size_t run = 0; run < 12; ++run) results[run].layout = static_cast<int>(run % 4);
  const Comparison comparison = Summarize(results, ExperimentOptions(), kNsPerTick);
  const BenchmarkResult result = ReadAndAnalyze(PairsCsvRows("BM", 0, comparison, kNsPerTick));
  EXPECT_EQ(result.layouts, 4u);
  EXPECT_EQ(result.decision.interval.lo, comparison.estimate()->interval.lo);
  EXPECT_EQ(result.decision.interval.hi, comparison.estimate()->interval.hi);
  EXPECT_EQ(result.decision.verdict, comparison.estimate()->verdict);
}

TEST(RoundTrip, RunsThatLostAnAssignment) {
  Measured measured;
  measured.one_sided_runs = 2;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->runs, 8) << "they are left out";
  measured.one_sided_runs = 4;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->runs, 10) << "they are too many";
}

TEST(RoundTrip, RunsAreWeighted) {
  Measured measured;
  measured.runs = 24;
  const Comparison quiet = ExpectSameNumbers(measured);
  measured.noisy_runs = 4;
  const Comparison noisy = ExpectSameNumbers(measured);
  const std::vector<double>& values = noisy.estimate()->run_log_ratios;
  EXPECT_LT(stats::StandardDeviation(values),
            1.5 * stats::StandardDeviation(quiet.estimate()->run_log_ratios));
}

TEST(RoundTrip, AFewDisturbedPairsAreDropped) {
  Measured measured;
  measured.disturbed = 0.2;
  measured.without_time = 0.1;
  const Comparison comparison = ExpectSameNumbers(measured);
  EXPECT_FALSE(comparison.estimate()->kept_disturbed);
  EXPECT_GT(comparison.estimate()->dropped, 100u);
}

TEST(RoundTrip, ManyDisturbedPairsAreKept) {
  Measured measured;
  measured.disturbed = 0.7;
  measured.without_time = 0.1;
  const Comparison comparison = ExpectSameNumbers(measured);
  EXPECT_TRUE(comparison.estimate()->kept_disturbed);
  EXPECT_GT(comparison.estimate()->dropped, 0u);
}

// Pairs without a time are no part of the share of the disturbed ones.
TEST(RoundTrip, HalfDisturbedAndManyWithoutTime) {
  for (const double disturbed : {0.45, 0.48, 0.5, 0.52, 0.55}) {
    Measured measured;
    measured.disturbed = disturbed;
    measured.without_time = 0.4;
    ExpectSameNumbers(measured);
  }
}

TEST(RoundTrip, ARunThatIsDisturbedThroughout) {
  Measured measured;
  measured.disturbed_run = 2;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->runs, 9);
  measured.runs = 2;
  measured.disturbed_run = 1;
  EXPECT_TRUE(ExpectSameNumbers(measured).estimate()->kept_disturbed);
}

TEST(RoundTrip, CpuTimes) {
  ExperimentOptions options;
  options.cpu_time = true;
  Measured measured;
  measured.batch[1] = 11;
  const Comparison cpu = ExpectSameNumbers(measured, options);
  EXPECT_LT(cpu.estimate()->interval.hi / cpu.estimate()->interval.lo, 1.06);
  EXPECT_GT(ExpectSameNumbers(measured).estimate()->interval.hi / cpu.estimate()->interval.hi,
            1.001);
  const BenchmarkResult result = ReadAndAnalyze(PairsCsvRows("BM", 0, cpu, kNsPerTick));
  EXPECT_THAT(result.notices, Contains("the ratio is that of CPU times"));
}

TEST(RoundTrip, CpuTimesBelowTheirResolution) {
  ExperimentOptions options;
  options.cpu_time = true;
  Measured measured;
  measured.disturbed = 0.1;
  measured.without_cpu_time = 0.3;
  measured.without_time = 0.1;
  EXPECT_GT(ExpectSameNumbers(measured, options).estimate()->dropped, 200u);
}

TEST(RoundTrip, Interleaved) {
  Measured measured;
  measured.interleaved = true;
  measured.disturbed = 0.1;
  ExpectSameNumbers(measured);
}

TEST(RoundTrip, ManualTimesAreRealTimes) {
  ExperimentOptions options;
  options.manual_time = true;
  options.cpu_time = true;  // manual time goes before it
  Measured measured;
  measured.without_time = 0.2;
  EXPECT_FALSE(ExpectSameNumbers(measured, options).estimate()->cpu_time);
}

TEST(RoundTrip, SamplesTakenAloneAreNoPairs) {
  Measured measured;
  measured.alone = true;
  measured.disturbed = 0.1;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->pairs +
                ExpectSameNumbers(measured).estimate()->dropped,
            570u);
}

TEST(RoundTrip, TotalsDecideWhereTheyDiffer) {
  Measured measured;
  measured.batch[0] = 1000;
  measured.disturbed = 0.1;
  measured.slow = 0.04;
  const Comparison comparison = ExpectSameNumbers(measured);
  EXPECT_TRUE(comparison.estimate()->total_decides);
  EXPECT_EQ(comparison.estimate()->verdict, stats::Verdict::kSlower);
  EXPECT_GT(comparison.estimate()->interval.ratio, 1.5 * comparison.estimate()->typical.ratio);
  const BenchmarkResult result = ReadAndAnalyze(PairsCsvRows("BM", 0, comparison, kNsPerTick));
  EXPECT_EQ(stats::Decide(result.decision.interval, Options().margin), result.decision.verdict)
      << "the figures shown are those that the verdict is of";
}

TEST(RoundTrip, WhatWithholdsAVerdict) {
  Measured measured;
  measured.spread = 0.01;
  ASSERT_NE(ExpectSameNumbers(measured).estimate()->verdict, stats::Verdict::kInconclusive);
  measured.two_speeds = true;
  const Comparison two_speeds = ExpectSameNumbers(measured);
  EXPECT_EQ(two_speeds.estimate()->why, stats::Why::kTwoSpeeds);
  EXPECT_THAT(ReadAndAnalyze(PairsCsvRows("BM", 0, two_speeds, kNsPerTick)).notices,
              Contains(HasSubstr("old runs at two speeds")));
  measured.two_speeds = false;
  measured.pause_share = 2;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->why, stats::Why::kPauses);
}

TEST(RoundTrip, ASingleRun) {
  Measured measured;
  measured.runs = 1;
  measured.disturbed = 0.2;
  EXPECT_EQ(ExpectSameNumbers(measured).estimate()->why, stats::Why::kOneRun);
}

TEST(RoundTrip, NothingUsable) {
  Measured measured;
  measured.without_time = 1;
  EXPECT_NE(ExpectSameNumbers(measured).failure(), nullptr);
}

TEST(RoundTrip, RealAndCpuTimesHaveNoCommonRatio) {
  ExperimentOptions options;
  const Comparison real = Summarize(Results(Measured()), options, kNsPerTick);
  options.cpu_time = true;
  const Comparison cpu = Summarize(Results(Measured()), options, kNsPerTick);
  const std::string rows = PairsCsvHeader() + PairsCsvRows("BM", 0, real, kNsPerTick) +
                           PairsCsvRows("BM", 10, cpu, kNsPerTick);
  EXPECT_EQ(ReadTexts({rows}).status().message(),
            "a.csv:602: CPU and real times of one benchmark have no common ratio");
}

// A pair's cost is its real time, with whole batches.
TEST(RoundTrip, PlansWithTheTimeOfWholePairs) {
  Measured measured;
  measured.batch[0] = 1000;
  const Comparison comparison = Summarize(Results(measured), ExperimentOptions(), kNsPerTick);
  double sum = 0;
  for (const RunResult& run : comparison.results) {
    for (const PairRecord& pair : run.pairs) sum += std::max(pair.ticks[0], pair.ticks[1]);
  }
  const BenchmarkResult result = ReadAndAnalyze(PairsCsvRows("BM", 0, comparison, kNsPerTick));
  EXPECT_NEAR(result.planning.pair_cost_s / (sum * kNsPerTick * 1e-9 / 600), 1, 1e-12);
}

}  // namespace
}  // namespace duetbench::duet_stat
