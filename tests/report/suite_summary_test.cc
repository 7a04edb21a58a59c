#include "duetbench/report/suite_summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/decide/interim_analysis.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kDegrees = 7;

// An estimate with this standard error of its logarithm.
SuiteEntry WithError(const std::string& name, double ratio, double error) {
  const double half = stats::TwoSidedT(0.01, kDegrees) * error;
  const stats::RatioInterval interval =
      Interval(ratio, ratio * std::exp(-half), ratio * std::exp(half));
  SuiteEntry entry = Entry(name, WithVerdict(stats::Decide(interval, 0.01), interval));
  entry.family = name.substr(0, name.find('/'));
  Estimate& estimate = *entry.comparison.estimate();
  estimate.log_error = error;
  estimate.degrees_of_freedom = kDegrees;
  return entry;
}

SuiteEntry Of(const std::string& family, double ratio, int argument = 64) {
  return WithError(absl::StrCat(family, "/", argument), ratio, 0.0003);
}

SuiteSummary SummaryOf(const std::vector<SuiteEntry>& suite) { return SummarizeSuite(suite); }

std::vector<std::string> LinesOf(const SuiteSummary& summary) {
  return ConsoleLines(SummaryLines(summary));
}

std::string TextOf(const std::vector<SuiteEntry>& suite) {
  return absl::StrJoin(LinesOf(SummaryOf(suite)), "\n");
}

TEST(SuiteSummaryTest, OfOneDuetThereAreNoLines) {
  EXPECT_EQ(TextOf({}), "");
  EXPECT_EQ(TextOf({Of("a", 0.5)}), "");
}

TEST(SuiteSummaryTest, CountsEachDuetOnce) {
  SuiteEntry without_work = Ungated("c");
  without_work.comparison.estimate()->lacks_work[0] = true;
  JudgeAgain(&without_work.comparison);
  SuiteEntry decided_gate = GateEntry("wide", 0.98, 1.03);
  const std::vector<SuiteEntry> suite = {
      Of("a", 0.5),   Of("b", 2),   Of("c", 2),  Of("d", 1),       without_work,
      Undecided("e"), decided_gate, Broken("f"), NotMeasured("g"), Unchanged("h")};
  const SuiteSummary summary = SummaryOf(suite);
  EXPECT_EQ(summary.duets, 10);
  EXPECT_EQ(summary.unchanged, 1);
  EXPECT_EQ(summary.faster, 1);
  EXPECT_EQ(summary.slower, 3) << "a gate that is not decided at 1.05 may be slower than 1";
  EXPECT_EQ(summary.equal, 1);
  EXPECT_EQ(summary.open, 1);
  EXPECT_EQ(summary.gates, 1);
  EXPECT_EQ(summary.not_measured, 2);
  EXPECT_THAT(summary.open_duets, ElementsAre(&suite[4]));
  EXPECT_EQ(summary.ratios, 6) << "removed work has none";
}

TEST(SuiteSummaryTest, TheLargestChangeIsFirst) {
  EXPECT_EQ(TextOf({Of("a", 1.2), Of("b", 0.5), Of("c", 2), Of("d", 0.9)}),
            "duetbench: 4 duets: 2 slower, 2 faster, 0 equal, 0 open; geometric mean 1.02 ×\n"
            "  slower: c/64: 2.0000 × (1.9979 to 2.0021 ×)\n"
            "  slower: a/64: 1.2000 × (1.1987 to 1.2013 ×)\n"
            "  faster: b/64: 0.50000 × (0.49948 to 0.50053 ×)\n"
            "  faster: d/64: 0.90000 × (0.89906 to 0.90095 ×)\n"
            "duetbench: apart from the 2 slower ones, nothing got slower (99 % for all 2 ratios "
            "together)\n"
            "duetbench: at most 0.01 of the slower and faster ones are expected to be false");
}

TEST(SuiteSummaryTest, LargeFamiliesAreFolded) {
  std::vector<SuiteEntry> suite = {Of("b", 1.05)};
  for (int i = 0; i < 24; ++i) suite.push_back(Of("a", 1.03 + i * 0.01, i));
  EXPECT_EQ(TextOf(suite),
            "duetbench: 25 duets: 25 slower, 0 faster, 0 equal, 0 open; geometric mean 1.14 ×\n"
            "  slower: a: 24 benchmarks, 1.03 to 1.26 ×\n"
            "  slower: b/64: 1.0500 × (1.0489 to 1.0511 ×)\n"
            "  a: 24 benchmarks, 1.03 to 1.26 ×, geometric mean 1.14 ×\n"
            "duetbench: at most 0.01 of the slower and faster ones are expected to be false");
}

TEST(SuiteSummaryTest, LongListsEnd) {
  std::vector<SuiteEntry> suite;
  for (int i = 0; i < 40; ++i) suite.push_back(Of(absl::StrCat("f", i), 1.05));
  const std::vector<std::string> lines = LinesOf(SummaryOf(suite));
  ASSERT_EQ(lines.size(), 13U);
  EXPECT_EQ(lines[10], "  slower: f9/64: 1.0500 × (1.0489 to 1.0511 ×)");
  EXPECT_EQ(lines[11], "  slower: and 30 more");
  suite.resize(11);
  EXPECT_EQ(LinesOf(SummaryOf(suite)).size(), 13U) << "no line that says 'and 1 more'";
}

TEST(SuiteSummaryTest, FamiliesHaveGeometricMeans) {
  const auto named = [](SuiteEntry entry) {
    entry.comparison.names = {"StdMap", "BTreeMap"};
    return entry;
  };
  EXPECT_EQ(
      TextOf({named(Of("StdMap_vs_BTreeMap", 0.25)), Of("single", 1),
              named(Of("StdMap_vs_BTreeMap", 1)), Of("twice", 2), Of("twice", 8)}),
      "duetbench: 5 duets: 2 slower, 1 faster, 2 equal, 0 open; geometric mean 1.32 ×\n"
      "  slower: twice/64: 8.0000 × (7.9916 to 8.0084 ×)\n"
      "  slower: twice/64: 2.0000 × (1.9979 to 2.0021 ×)\n"
      "  faster: StdMap_vs_BTreeMap/64: 0.25000 × (0.24974 to 0.25026 ×)\n"
      "  BTreeMap takes 0.5 × the time of StdMap (geometric mean of 2 benchmarks, 0.25 to 1 ×)\n"
      "  twice: 2 benchmarks, 2 to 8 ×, geometric mean 4 ×\n"
      "duetbench: apart from the 2 slower ones, nothing got slower by more than 0.15 % (99 % for "
      "all 3 ratios together)\n"
      "duetbench: at most 0.01 of the slower and faster ones are expected to be false");
}

TEST(SuiteSummaryTest, OpenOnesSayWhatWouldDecideThem) {
  SuiteEntry soon = WithError("soon", 1.003, 0.003);
  SuiteEntry late = WithError("late", 1.0055, 0.01);
  for (SuiteEntry* const entry : {&soon, &late}) entry->comparison.wall_s = 10;
  SuiteEntry without_work = WithError("idle", 1, 0.01);
  without_work.comparison.estimate()->lacks_work[0] = true;
  JudgeAgain(&without_work.comparison);
  EXPECT_EQ(TextOf({without_work, late, soon, Of("b", 1)}),
            "duetbench: 4 duets: 0 slower, 0 faster, 1 equal, 3 open; geometric mean of the 3 "
            "ratios 1 ×\n"
            "  open: soon: 0.993 to 1.014 ×; about 41 s would decide\n"
            "  open: late: 0.971 to 1.041 ×; about 13 min would decide\n"
            "  open: idle: old takes no more time than an empty loop\n"
            "duetbench: nothing got slower by more than 4.2 % (99 % for all 3 ratios together)");
}

// --- The bound ---

TEST(SlowDownBoundTest, IsTheLargestUpperEnd) {
  const std::vector<SuiteEntry> suite = {Of("a", 1), WithError("b", 1.001, 0.002), Of("c", 0.5)};
  const SuiteSummary summary = SummaryOf(suite);
  ASSERT_TRUE(summary.bound.has_value());
  EXPECT_THAT(summary.bound->ratio,
              DoubleNear(1.001 * std::exp(stats::TwoSidedT(0.01, kDegrees) * 0.002), 1e-9));
  EXPECT_EQ(summary.bound->besides, 0);
  EXPECT_EQ(summary.bound->duets, 3);
  EXPECT_THAT(LinesOf(summary), Contains("duetbench: nothing got slower by more than 0.81 % "
                                         "(99 % for all 3 ratios together)"));
}

TEST(SlowDownBoundTest, IsWiderWhereSlowerOnesAreSetApart) {
  const std::vector<SuiteEntry> suite = {Of("a", 1), Of("b", 1.2)};
  const SuiteSummary summary = SummaryOf(suite);
  ASSERT_TRUE(summary.bound.has_value());
  EXPECT_EQ(summary.bound->besides, 1);
  EXPECT_THAT(std::log(summary.bound->ratio),
              DoubleNear(0.0003 * stats::TwoSidedT(0.01 / 3, kDegrees), 1e-9));
  EXPECT_THAT(LinesOf(summary), Contains(testing::ContainsRegex(
                                    "apart from the slower one, nothing got slower by more "
                                    "than 0.1[34] % .99 % for the other ratio")));
}

TEST(SlowDownBoundTest, OfFasterOnesIsNoSlowDown) {
  EXPECT_THAT(LinesOf(SummaryOf({Of("a", 0.5), Of("b", 0.6)})),
              Contains("duetbench: nothing got slower (99 % for all 2 ratios together)"));
}

TEST(SlowDownBoundTest, AnUnboundedRatioLeavesNone) {
  SuiteEntry unbounded = Of("a", 1);
  unbounded.comparison.estimate()->interval.hi = INFINITY;
  EXPECT_FALSE(SummaryOf({unbounded, Of("b", 1)}).bound.has_value());
}

// Suites of 40 duets, of which up to 12 are slower by amounts that are found now and then: in at
// most 1 % of suites a duet apart from the slower ones exceeds the bound (of 2,000 suites, more
// than 33 with probability 0.1 %).
TEST(SlowDownBoundTest, HoldsInSimulatedSuites) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::chi_squared_distribution<double> chi_squared(kDegrees);
  for (const int changed : {0, 1, 12, 40}) {
    int misses = 0;
    for (int suite = 0; suite < 2000; ++suite) {
      std::vector<SuiteEntry> entries;
      std::vector<double> truths;
      for (int i = 0; i < 40; ++i) {
        truths.push_back(i < changed ? 0.006 : 0.0);
        const double error = 0.001 * std::sqrt(chi_squared(random) / kDegrees);
        entries.push_back(
            WithError(absl::StrCat(i), std::exp(truths.back() + 0.001 * normal(random)), error));
      }
      // So that no band of EQUAL hides what is slower.
      for (SuiteEntry& entry : entries) {
        Estimate& estimate = *entry.comparison.estimate();
        estimate.verdict = stats::Decide(estimate.interval, 0);
      }
      const SuiteSummary summary = SummaryOf(entries);
      double largest = 0;
      for (size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].comparison.estimate()->verdict == stats::Verdict::kSlower) continue;
        largest = std::max(largest, std::exp(truths[i]));
      }
      if (summary.bound.has_value() && largest > summary.bound->ratio) ++misses;
    }
    EXPECT_LE(misses, 33) << changed << " changed";
    RecordProperty(absl::StrCat("misses_of_", changed), misses);
  }
}

// --- False verdicts ---

TEST(SuiteSummaryTest, WeakChangesAmongManyMayBeChance) {
  std::vector<SuiteEntry> suite = {Of("clear", 1.2), WithError("weak", 1.012, 0.003)};
  EXPECT_THAT(SummaryOf(suite).may_be_chance, IsEmpty());
  for (int i = 0; i < 98; ++i) suite.push_back(Of(absl::StrCat("same", i), 1));
  EXPECT_THAT(SummaryOf(suite).expected_false, DoubleNear(0.5, 0.3));
  EXPECT_EQ(TextOf(suite),
            "duetbench: 100 duets: 2 slower, 0 faster, 98 equal, 0 open; geometric mean 1 ×\n"
            "  slower: clear/64: 1.2000 × (1.1987 to 1.2013 ×)\n"
            "  slower: weak: 1.012 × (1.001 to 1.023 ×), may be chance\n"
            "duetbench: apart from the 2 slower ones, nothing got slower by more than 0.15 % (99 % "
            "for all 98 ratios together)\n"
            "duetbench: at most 0.53 of the slower and faster ones are expected to be false");
}

TEST(SummaryJsonTest, HasAllFacts) {
  std::vector<SuiteEntry> suite;
  for (int i = 0; i < 20; ++i) suite.push_back(Of("a", 1.05, i));
  suite.push_back(Of("b", 0.5));
  suite.push_back(WithError("c \"quoted\"", 1.005, 0.002));
  SuiteSummary summary = SummaryOf(suite);
  summary.repeat = "./bench";
  const auto json = nlohmann::json::parse(SummaryJson(summary));
  EXPECT_EQ(json["duets"], 22);
  EXPECT_EQ(json["slower"], 20);
  EXPECT_THAT(json["slower_duets"], SizeIs(20)) << "no list ends early";
  EXPECT_EQ(json["faster_duets"][0]["ratio"], 0.5);
  EXPECT_EQ(json["open_duets"][0]["name"], "c \"quoted\"");
  EXPECT_EQ(json["families"][0]["count"], 20);
  EXPECT_EQ(json["slowdown_bound"]["besides"], 20);
  EXPECT_EQ(json["repeat"], "./bench");
}

}  // namespace
}  // namespace duetbench
