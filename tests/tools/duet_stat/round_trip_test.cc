// Round trip: duet_stat computes the numbers that a program reports from its file of pairs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/pairs_file.h"
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
  ExperimentOptions options;
  int runs = 10;
  int pairs = 60;
  uint64_t batch[2] = {100, 100};
  double disturbed = 0;
  double without_time = 0;
  double without_cpu_time = 0;
  int layouts = 1;
  int disturbed_run = -1;  // all of whose pairs are disturbed
  bool solo = false;       // every twentieth pair
  double slow = 0;         // samples of new that take 30 times as long
  int noisy_runs = 0;      // whose times vary by half
  double spread = 0.1;     // of the logarithms of the times
  double log_ratio = std::log(1.03);
  int one_sided_runs = 0;   // all pairs of an assignment are disturbed
  bool two_speeds = false;  // old takes twice as long in a half of each run, by turns
  double pause_share = 0;   // of new
  double growth = 0;        // of the logarithm of the times of new, over a run
  double shared_core = 0;   // samples after a slow probe of the core
};

std::vector<RunResult> Results(const Measured& measured) {
  std::mt19937_64 random(17);
  std::lognormal_distribution<double> ticks(5, measured.spread);
  std::lognormal_distribution<double> waiting(0, std::min(0.3, measured.spread));
  std::uniform_real_distribution<double> share;
  std::vector<RunResult> results(static_cast<size_t>(measured.runs));
  for (int r = 0; r < measured.runs; ++r) {
    results[static_cast<size_t>(r)].pause_share[1] = measured.pause_share;
    results[static_cast<size_t>(r)].layout = r % measured.layouts;
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
        if (variant == 1) pair.ticks[1] *= std::exp(measured.growth * i / measured.pairs);
        if (r < measured.noisy_runs) pair.ticks[variant] *= std::pow(waiting(random), 2);
        if (variant == 1 && measured.slow > 0 && share(random) < measured.slow) {
          pair.ticks[variant] *= 30;
        }
        const auto swapped = static_cast<int>(pair.assignment);
        const bool interleaved = measured.options.schedule == Schedule::kInterleaved;
        pair.probe_ticks[variant] =
            measured.shared_core > 0 && share(random) < measured.shared_core ? 1700 : 1000;
        pair.cpus[variant] = interleaved ? 3 : (variant ^ swapped) + 3;
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
      if (i % 20 == 7 && measured.solo) pair.flags |= kSolo;
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

Comparison SummaryOf(const Measured& measured) {
  return Summarize(Results(measured), measured.options, kNsPerTick);
}

// Expects of duet_stat the numbers of the program's own estimate, which it returns.
Comparison ExpectSameNumbers(const Measured& measured) {
  const Comparison comparison = SummaryOf(measured);
  const BenchmarkResult result =
      ReadAndAnalyze(PairsCsvRows("BM_A, \"B\"/64", 0, comparison, kNsPerTick));
  EXPECT_EQ(result.name, "BM_A, \"B\"/64");
  EXPECT_EQ(result.error.empty(), comparison.has_ratio()) << result.error;
  if (!comparison.has_ratio()) return comparison;
  EXPECT_EQ(result.runs, static_cast<size_t>(comparison.runs));
  EXPECT_EQ(result.dropped, comparison.dropped);
  EXPECT_EQ(result.run_log_ratios, comparison.typical_log_ratios);
  EXPECT_EQ(result.pairs, comparison.pairs);
  EXPECT_EQ(result.uses_disturbed, comparison.kept_disturbed);
  EXPECT_EQ(result.interleaved, measured.options.schedule == Schedule::kInterleaved);
  EXPECT_EQ(result.layouts, static_cast<size_t>(std::min(measured.runs, measured.layouts)));
  EXPECT_THAT(result.notices,
              Contains("the ratio is that of CPU times").Times(comparison.cpu_time ? 1 : 0));
  EXPECT_THAT(result.notices, Contains(HasSubstr("old runs at two speeds"))
                                  .Times(comparison.why == stats::Why::kTwoSpeeds ? 1 : 0));
  const stats::RatioInterval& interval = result.intervals[0].interval.value();
  EXPECT_EQ(interval.ratio, comparison.typical.ratio);
  EXPECT_EQ(interval.lo, comparison.typical.lo);
  EXPECT_EQ(interval.hi, comparison.typical.hi);
  EXPECT_GE(std::log(interval.hi / interval.lo), 1.9999e-4) << "the least width";
  EXPECT_EQ(result.decision.total.has_value(), comparison.total.has_value());
  EXPECT_EQ(result.decision.total_decides, comparison.total_decides);
  if (result.decision.total.has_value() && comparison.total.has_value()) {
    EXPECT_EQ(result.decision.total->interval.ratio, comparison.total->interval.ratio);
    EXPECT_EQ(result.decision.total->interval.lo, comparison.total->interval.lo);
    EXPECT_EQ(result.decision.total->interval.hi, comparison.total->interval.hi);
    EXPECT_EQ(result.decision.total->p, comparison.total->p);
  }
  EXPECT_EQ(result.decision.interval.ratio, comparison.interval.ratio);
  EXPECT_EQ(result.decision.interval.lo, comparison.interval.lo);
  EXPECT_EQ(result.decision.interval.hi, comparison.interval.hi);
  EXPECT_EQ(result.decision.verdict, comparison.verdict);
  EXPECT_EQ(
      result.sentences.empty() ? "" : result.sentences[0],
      comparison.total.has_value() ? TotalFinding(comparison.typical, *comparison.total) : "");
  return comparison;
}

// An experiment of a kind drawn at random.
Measured AnyMeasured(std::mt19937_64& random) {
  const auto any = [&random](auto... values) {
    const double all[] = {static_cast<double>(values)...};
    return all[random() % std::size(all)];
  };
  Measured measured;
  measured.options.cpu_time = any(0, 0, 1) == 1;
  measured.options.manual_time = any(0, 0, 0, 1) == 1;  // goes before CPU time
  if (any(0, 0, 1) == 1) measured.options.schedule = Schedule::kInterleaved;
  measured.runs = static_cast<int>(any(1, 2, 10, 17, 18, 24));
  measured.layouts = static_cast<int>(any(1, 1, 4));
  measured.batch[0] = static_cast<uint64_t>(any(100, 1000));
  measured.batch[1] = static_cast<uint64_t>(any(100, 7));
  measured.spread = any(1e-5, 5e-4, 0.01, 0.1);
  measured.log_ratio = any(0, 0.0005, 0.0099, 0.03);
  // Pairs without a time are no part of the share of the disturbed ones.
  measured.disturbed = any(0, 0.1, 0.2, 0.48, 0.52, 0.7);
  measured.without_time = any(0, 0, 0.1, 0.4);
  measured.without_cpu_time = any(0, 0.3);
  measured.solo = any(0, 1) == 1;
  measured.shared_core = any(0, 0, 0.05);
  // Seldom, as each of them hides others.
  measured.disturbed_run = static_cast<int>(any(-1, -1, -1, 1));
  measured.slow = any(0, 0, 0, 0.04);
  measured.noisy_runs = static_cast<int>(any(0, 0, 0, 4));
  measured.one_sided_runs = static_cast<int>(any(0, 0, 0, 2, 4));
  measured.two_speeds = any(0, 0, 0, 0, 0, 1) == 1;
  measured.pause_share = any(0, 0, 0, 0, 0, 2);
  measured.growth = any(0, 0, 0, 0, 0, 0.3);
  return measured;
}

TEST(RoundTrip, HasTheSameNumbers) {
  std::mt19937_64 random(5);
  std::set<std::string> seen;
  for (int experiment = 0; experiment < 200; ++experiment) {
    SCOPED_TRACE(experiment);
    const Measured measured = AnyMeasured(random);
    const Comparison comparison = ExpectSameNumbers(measured);
    ASSERT_TRUE(comparison.has_ratio());
    if (comparison.runs < measured.runs) seen.insert("runs left out");
    if (comparison.kept_disturbed) seen.insert("kept disturbed");
    if (comparison.dropped > 0) seen.insert("dropped");
    if (comparison.cpu_time) seen.insert("CPU times");
    if (comparison.total_decides) seen.insert("totals decide");
    if (comparison.why == stats::Why::kTwoSpeeds) seen.insert("two speeds");
    if (comparison.why == stats::Why::kPauses) seen.insert("pauses");
    if (comparison.why == stats::Why::kOneRun) seen.insert("one run");
    if (comparison.position_error > 0) seen.insert("depends on the position");
    seen.insert(stats::VerdictName(comparison.verdict));
  }
  EXPECT_THAT(
      seen, testing::IsSupersetOf({"runs left out", "kept disturbed", "dropped", "CPU times",
                                   "totals decide", "two speeds", "pauses", "one run",
                                   "depends on the position", "SLOWER", "EQUAL", "INCONCLUSIVE"}));
}

TEST(RoundTrip, NothingUsable) {
  Measured measured;
  measured.without_time = 1;
  EXPECT_TRUE(ExpectSameNumbers(measured).has_failed());
}

TEST(RoundTrip, RealAndCpuTimesHaveNoCommonRatio) {
  Measured cpu;
  cpu.options.cpu_time = true;
  const std::string rows = PairsCsvHeader() +
                           PairsCsvRows("BM", 0, SummaryOf(Measured()), kNsPerTick) +
                           PairsCsvRows("BM", 10, SummaryOf(cpu), kNsPerTick);
  EXPECT_EQ(ReadTexts({rows}).status().message(),
            "a.csv:602: CPU and real times of one benchmark have no common ratio");
}

// A pair's cost is its real time, with whole batches.
TEST(RoundTrip, PlansWithTheTimeOfWholePairs) {
  Measured measured;
  measured.batch[0] = 1000;
  const Comparison comparison = SummaryOf(measured);
  double sum = 0;
  for (const RunResult& run : comparison.results) {
    for (const PairRecord& pair : run.pairs) sum += std::max(pair.ticks[0], pair.ticks[1]);
  }
  const BenchmarkResult result = ReadAndAnalyze(PairsCsvRows("BM", 0, comparison, kNsPerTick));
  EXPECT_NEAR(result.planning.pair_cost_s / (sum * kNsPerTick * 1e-9 / 600), 1, 1e-12);
}

}  // namespace
}  // namespace duetbench::duet_stat
