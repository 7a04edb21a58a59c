#include "duetbench/report/diagnosis_format.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

// Nothing found; ten runs.
Diagnosis Clean() {
  Diagnosis diagnosis{};
  diagnosis.runs = 10;
  diagnosis.clusters = {{10, 0.0}};
  return diagnosis;
}

std::vector<std::string> Sentences(const Diagnosis& diagnosis) {
  return Explain(diagnosis, RatioInterval{}, nullptr);
}

TEST(Explain, CleanDataNeedsNoWords) {
  EXPECT_THAT(Sentences(Clean()), IsEmpty());
  EXPECT_THAT(Sentences(*Diagnose(SyntheticRuns().Make(1))), IsEmpty());
}

// Sentences are in sentences_test.cc.
TEST(Explain, SmallClustersAndAWeakDependenceAreNotTold) {
  Diagnosis diagnosis = Clean();
  diagnosis.clusters = {{7, 0.0}, {3, 0.0005}};
  EXPECT_THAT(Sentences(diagnosis), IsEmpty());
  diagnosis.clusters = {{4, std::log(0.9)}, {6, 0.0}};
  EXPECT_THAT(Sentences(diagnosis), ElementsAre(HasSubstr("(4 of 10 are 10 % faster)")));
}

TEST(Explain, GroupsFromPairsToWords) {
  SyntheticRuns groups;
  groups.run_effect = 0.0002;
  groups.noise = 0.004;
  groups.shifted_runs = 3;
  groups.shift = std::log(1.02);
  EXPECT_THAT(Sentences(*Diagnose(groups.Make(1))),
              ElementsAre(MatchesRegex(
                  "runs fall into two clusters \\(3 of 10 are (2|1.9|2.1) % slower\\), "
                  "perhaps by memory layout")));
}

RatioInterval Around(double ratio) {
  return {ratio, ratio * 0.99, ratio * 1.01, 0.99, IntervalKind::kT, ""};
}

TotalRatio Total(double ratio, SlowCalls of_old, SlowCalls of_new) {
  TotalRatio total{};
  total.interval = Around(ratio);
  total.differs = true;
  total.slow_calls[0] = of_old;
  total.slow_calls[1] = of_new;
  return total;
}

TEST(TotalSentence, NamesTheSlowCallsOfOldToo) {
  EXPECT_EQ(TotalSentence(Around(1), Total(0.5, {12.4, 9.7}, {})),
            "typical 1.000 x, total 0.5000 x: one call in about 10 of old takes 10 times as long");
  EXPECT_THAT(TotalSentence(Around(1), Total(1.1, {}, {1.2, 3})),
              HasSubstr("long samples are a larger part of the time of new"));
}

// One call in 1,000 that takes 400 times as long would be 40 % of the others' time.
TEST(TotalSentence, NamesNoSlowCallsThatDoNotExplainTheDifference) {
  EXPECT_EQ(TotalSentence(Around(1.848), Total(1.705, {1000, 400}, {})),
            "typical 1.848 x, total 1.705 x: long samples are a larger part of the time of old");
  EXPECT_THAT(TotalSentence(Around(1.848), Total(1.848 / 1.4, {1000, 400}, {})),
              HasSubstr("one call in about 1,000 of old takes 400 times as long"));
  EXPECT_THAT(TotalSentence(Around(1), Total(2, {}, {1000, 50})), HasSubstr("long samples"))
      << "5 % do not double a time";
}

TEST(UnseenText, IsRounded) {
  EXPECT_EQ(UnseenText(1e7), "calls rarer than 1 in 2,000,000 were not seen");
  EXPECT_EQ(UnseenText(20), "calls rarer than 1 in 4 were not seen");
  EXPECT_EQ(UnseenText(1), "calls rarer than 1 in 1 were not seen");
}

TEST(Explain, NamesTheTotalWhereTheVerdictDiffersOrCallsAreSlow) {
  const Diagnosis diagnosis{};
  const TotalRatio alike = Total(0.93, {}, {});
  EXPECT_THAT(Explain(diagnosis, Around(0.936), &alike), IsEmpty()) << "both are FASTER";
  EXPECT_THAT(Explain(diagnosis, Around(0.995), &alike), ElementsAre(HasSubstr("typical 0.995")));
  const TotalRatio slow_calls = Total(2, {}, {100, 35});
  EXPECT_THAT(Explain(diagnosis, Around(1.5), &slow_calls),
              ElementsAre(HasSubstr("one call in about 100 of new")));
}

}  // namespace
}  // namespace duetbench::stats
