#include "duetbench/report/suite_summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/decide/interval.h"
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
  without_work.comparison.lacks_work[0] = true;
  JudgeAgain(&without_work.comparison);
  SuiteEntry decided_gate = GateEntry("wide", 0.98, 1.03);
  const std::vector<SuiteEntry> suite = {
      Of("a", 0.5),   Of("b", 2),   Of("c", 2),  Of("d", 1),       without_work,
      Undecided("e"), decided_gate, Broken("f"), NotMeasured("g"), Unchanged("h")};
  const SuiteSummary summary = SummaryOf(suite);
  EXPECT_EQ(summary.duets, 10);
  EXPECT_EQ(summary.unchanged, 1);
  EXPECT_EQ(summary.faster_duets.size(), 1u);
  EXPECT_EQ(summary.slower_duets.size(), 3u)
      << "a gate that is not decided at 1.05 may be slower than 1";
  EXPECT_EQ(summary.equal, 1);
  EXPECT_EQ(summary.gates, 1);
  EXPECT_EQ(summary.not_measured, 2);
  EXPECT_THAT(summary.open_duets, ElementsAre(&suite[4]));
  EXPECT_EQ(summary.ratios.count, 6) << "removed work has none";
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

TEST(SlowDownBoundTest, OpenOnesAreSetApartWhereTheyWouldDoubleIt) {
  const std::vector<SuiteEntry> suite = {Of("a", 1), Of("b", 1), WithError("c", 1.01, 0.1)};
  const SuiteSummary summary = SummaryOf(suite);
  ASSERT_THAT(summary.open_duets, ElementsAre(&suite[2]));
  ASSERT_TRUE(summary.bound.has_value());
  EXPECT_EQ(summary.bound->open, 1);
  EXPECT_THAT(std::log(summary.bound->ratio),
              DoubleNear(0.0003 * stats::TwoSidedT(0.01 / 3, kDegrees), 1e-9));
  EXPECT_THAT(LinesOf(summary),
              Contains(testing::ContainsRegex("apart from the open one, nothing got slower by more "
                                              "than 0.1[34] % .99 % for all 2 ratios together")));
}

TEST(SlowDownBoundTest, OfFasterOnesIsNoSlowDown) {
  EXPECT_THAT(LinesOf(SummaryOf({Of("a", 0.5), Of("b", 0.6)})),
              Contains("duetbench: nothing got slower (99 % for all 2 ratios together)"));
}

TEST(SlowDownBoundTest, AnUnboundedRatioLeavesNone) {
  SuiteEntry unbounded = Of("a", 1);
  unbounded.comparison.interval.hi = INFINITY;
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
        Comparison& comparison = entry.comparison;
        comparison.verdict = stats::Decide(comparison.interval, 0);
      }
      const SuiteSummary summary = SummaryOf(entries);
      double largest = 0;
      for (size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].comparison.verdict == stats::Verdict::kSlower) continue;
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
  EXPECT_THAT(SummaryOf(suite).may_be_chance, ElementsAre(&suite[1]));
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

TEST(SummaryJsonTest, HasTheExplanation) {
  std::vector<SuiteEntry> suite = {Explained("A"), Failing("B")};
  for (SuiteEntry& entry : suite) entry.facts = FactsOf(entry.facts.name, entry.comparison);
  const auto json = nlohmann::json::parse(SummaryJson(SummarizeSuite(suite)));
  const auto& slower = json["slower_duets"];
  ASSERT_EQ(slower.size(), 2u);
  EXPECT_EQ(slower[0]["explanation"]["level"], 0.99);
  EXPECT_FALSE(slower[1].contains("explanation"));
}

}  // namespace
}  // namespace duetbench
