#include "duetbench/text/diagnosis_format.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decision/synthetic_runs.h"

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
  diagnosis.pairs = 1000;
  diagnosis.clusters = {{10, 0.0}};
  return diagnosis;
}

TEST(Explain, CleanDataNeedsNoWords) {
  EXPECT_THAT(Explain(Clean()), IsEmpty());
  EXPECT_THAT(Explain(*Diagnose(SyntheticRuns().Make(1))), IsEmpty());
}

TEST(Explain, Pairing) {
  Diagnosis diagnosis = Clean();
  diagnosis.pairing_gain_all = 6.08;
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
  diagnosis.pairing_helped = true;
  EXPECT_THAT(Explain(diagnosis), ElementsAre("pairing made the interval 6.1x narrower"));
  diagnosis.pairing_gain_all = 52.3;
  EXPECT_THAT(Explain(diagnosis), ElementsAre("pairing made the interval 52x narrower"));
  diagnosis.pairing_gain_all = 1.4;
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
}

TEST(Explain, Clusters) {
  Diagnosis diagnosis = Clean();
  diagnosis.clusters = {{7, 0.0}, {3, std::log(1.02)}};
  EXPECT_THAT(Explain(diagnosis),
              ElementsAre(HasSubstr(
                  "runs fall into two groups (3 of 10 are 2 % slower), perhaps by memory layout")));
  diagnosis.clusters = {{4, std::log(0.9)}, {6, 0.0}};
  EXPECT_THAT(
      Explain(diagnosis),
      ElementsAre(HasSubstr(
          "runs fall into two groups (4 of 10 are 10 % faster), perhaps by memory layout")));
  diagnosis.clusters = {{4, 0.0}, {3, 0.01}, {3, std::log(1.055)}};
  EXPECT_THAT(Explain(diagnosis),
              ElementsAre("runs fall into three groups (of 4, 3, 3 runs, 5.5 % from lowest to "
                          "highest), perhaps by memory layout"));
  diagnosis.clusters = {{7, 0.0}, {3, 0.0005}};
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
}

TEST(Explain, Sides) {
  Diagnosis diagnosis = Clean();
  diagnosis.side_bias = Effect{-2 * std::log(1.013), 1e-6, true};
  EXPECT_THAT(Explain(diagnosis), ElementsAre("the two CPUs differ by 1.3 %"));
  EXPECT_THAT(Explain(diagnosis, /*interleaved=*/true),
              ElementsAre("the order within a pair changes times by 1.3 %"));
  diagnosis.side_bias->significant = false;
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
  diagnosis.side_bias = Effect{0.0004, 1e-9, true};
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
}

TEST(Explain, Tails) {
  Diagnosis diagnosis = Clean();
  diagnosis.tails = TailDifference{std::log(1.04), std::log(1.001), 1e-5, true};
  EXPECT_THAT(Explain(diagnosis), ElementsAre("tails differ: mean +4 %, trimmed +0.1 %"));
  diagnosis.tails = TailDifference{std::log(2.5), std::log(0.97), 1e-5, true};
  EXPECT_THAT(Explain(diagnosis), ElementsAre("tails differ: mean +150 %, trimmed -3 %"));
  diagnosis.tails = TailDifference{std::log(0.0916), std::log(0.0911), 1e-5, true};
  EXPECT_THAT(Explain(diagnosis), IsEmpty()) << "both read -91 %";
  diagnosis.tails = TailDifference{std::log(2.5), std::log(0.97), 1e-5, true};
  diagnosis.tails->differs = false;
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
}

TEST(Explain, Drift) {
  Diagnosis diagnosis = Clean();
  diagnosis.run_drift = Effect{std::log(0.97), 1e-5, true};
  EXPECT_THAT(
      Explain(diagnosis),
      ElementsAre("the ratio drifts over the runs: -3 % from the first to the last; measure "
                  "again when nothing else changes the machine"));
}

TEST(Explain, Dependence) {
  Diagnosis diagnosis = Clean();
  diagnosis.lag1 = 0.7;
  EXPECT_THAT(Explain(diagnosis), IsEmpty());
  diagnosis.lag1 = 0.834;
  EXPECT_THAT(
      Explain(diagnosis),
      ElementsAre("neighboring pairs have similar ratios (lag-1 autocorrelation 0.83): measure "
                  "longer, for more runs"));
}

TEST(Explain, PlantedCasesFromPairsToWords) {
  SyntheticRuns tails;
  tails.slow_share = 0.05;
  tails.slow_size = std::log(2.2);
  tails.pairs = 500;
  EXPECT_THAT(Explain(*Diagnose(tails.Make(1))),
              ElementsAre(MatchesRegex("tails differ: mean \\+[345].* %, trimmed .*")));

  SyntheticRuns groups;
  groups.run_effect = 0.0002;
  groups.noise = 0.004;
  groups.shifted_runs = 3;
  groups.shift = std::log(1.02);
  EXPECT_THAT(
      Explain(*Diagnose(groups.Make(1))),
      ElementsAre(MatchesRegex("runs fall into two groups \\(3 of 10 are (2|1.9|2.1) % slower\\), "
                               "perhaps by memory layout")));

  SyntheticRuns sides;
  sides.second_cpu_slower = std::log(1.013);
  EXPECT_THAT(Explain(*Diagnose(sides.Make(1))),
              ElementsAre(MatchesRegex("the two CPUs differ by 1.[234] %")));

  SyntheticRuns busy;
  busy.runs = 30;
  busy.common = 0.05;
  EXPECT_THAT(Explain(*Diagnose(busy.Make(1))),
              ElementsAre(MatchesRegex("pairing made the interval [0-9.]*x narrower")));
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

TEST(TotalSentence, NamesTheSlowerVariantAndItsCalls) {
  EXPECT_EQ(TotalSentence(Around(1), Total(2, {50, 2}, {9876, 10432})),
            "typical 1.000 x, total 2.000 x: one call in about 10,000 of new takes 10,000 times as "
            "long");
  EXPECT_EQ(TotalSentence(Around(1), Total(0.5, {12.4, 9.7}, {})),
            "typical 1.000 x, total 0.5000 x: one call in about 10 of old takes 10 times as long");
}

TEST(TotalSentence, SaysNoMoreThanIsKnown) {
  EXPECT_THAT(TotalSentence(Around(1), Total(1.1, {}, {})),
              HasSubstr("total 1.100 x: long samples are a larger part of the time of new"));
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
  EXPECT_THAT(Explain(diagnosis, false, Around(0.936), &alike), IsEmpty()) << "both are FASTER";
  EXPECT_THAT(Explain(diagnosis, false, Around(0.995), &alike),
              ElementsAre(HasSubstr("typical 0.995")));
  const TotalRatio slow_calls = Total(2, {}, {100, 35});
  EXPECT_THAT(Explain(diagnosis, false, Around(1.5), &slow_calls),
              ElementsAre(HasSubstr("one call in about 100 of new")));
}

TEST(Explain, TheTotalTakesThePlaceOfTheTails) {
  Diagnosis diagnosis{};
  diagnosis.tails = TailDifference{0.04, 0.001, 1e-6, true};
  TotalRatio total = Total(2, {}, {100, 101});
  EXPECT_THAT(Explain(diagnosis, false, Around(1), &total),
              ElementsAre(HasSubstr("one call in about 100 of new")));
  total.differs = false;
  EXPECT_THAT(Explain(diagnosis, false, Around(1), &total), ElementsAre(HasSubstr("tails differ")));
  EXPECT_THAT(Explain(diagnosis, false, Around(1), nullptr),
              ElementsAre(HasSubstr("tails differ")));
}

}  // namespace
}  // namespace duetbench::stats
