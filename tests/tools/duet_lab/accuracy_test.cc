#include "tools/duet_lab/accuracy.h"

#include <cmath>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

Observation Observe(double ratio, double lo, double hi, const char* verdict) {
  Observation observation;
  observation.name = "A";
  observation.ratio = ratio;
  observation.lo = lo;
  observation.hi = hi;
  observation.verdict = verdict;
  observation.wall_seconds = ratio;
  return observation;
}

TEST(Truth, IsANameAndARatio) {
  const auto truth = ParseTruth("A<x=1>_vs_B/64=2.5");
  ASSERT_TRUE(truth.ok());
  EXPECT_EQ(truth->name, "A<x=1>_vs_B/64");
  EXPECT_EQ(truth->ratio, 2.5);
  for (const char* bad : {"", "A", "=2", "A=", "A=x", "A=0", "A=-1", "A=inf", "A=nan"}) {
    EXPECT_FALSE(ParseTruth(bad).ok()) << bad;
  }
}

TEST(Truth, TheBenchmarksOwnGoesBeforeItsFamilys) {
  const std::vector<Truth> truths = {{"A/2", 3}, {"A", 2}};
  EXPECT_EQ(TrueRatio("A/1", truths), 2);
  EXPECT_EQ(TrueRatio("A/2", truths), 3);
  EXPECT_EQ(TrueRatio("A", truths), 2);
  EXPECT_EQ(TrueRatio("AB/1", truths), 1);
}

TEST(IsFalseVerdict, ContradictsTheTruth) {
  EXPECT_TRUE(IsFalseVerdict("FASTER", 1, 0.01));
  EXPECT_TRUE(IsFalseVerdict("FASTER", 1.5, 0.01));
  EXPECT_FALSE(IsFalseVerdict("FASTER", 0.99, 0.01));
  EXPECT_TRUE(IsFalseVerdict("SLOWER", 1, 0.01));
  EXPECT_FALSE(IsFalseVerdict("SLOWER", 1.001, 0.01));
  EXPECT_FALSE(IsFalseVerdict("EQUAL", 1, 0));
  EXPECT_FALSE(IsFalseVerdict("EQUAL", 1.01, 0.01));
  EXPECT_TRUE(IsFalseVerdict("EQUAL", 1.011, 0.01));
  EXPECT_FALSE(IsFalseVerdict("EQUAL", 1 / 1.01, 0.01));
  EXPECT_TRUE(IsFalseVerdict("EQUAL", 0.98, 0.01));
  EXPECT_FALSE(IsFalseVerdict("INCONCLUSIVE", 2, 0.01));
}

TEST(FindsDifference, ByTheRightVerdictOrByTheInterval) {
  EXPECT_TRUE(FindsDifference(Observe(1.03, 1.02, 1.04, "SLOWER"), 1.01));
  EXPECT_TRUE(FindsDifference(Observe(1.008, 1.002, 1.01, "EQUAL"), 1.01));
  EXPECT_FALSE(FindsDifference(Observe(1.008, 0.999, 1.02, "INCONCLUSIVE"), 1.01));
  EXPECT_FALSE(FindsDifference(Observe(1.003, 1.001, 1.005, "EQUAL"), 1.01));
  EXPECT_FALSE(FindsDifference(Observe(0.9, 0.8, 0.95, "FASTER"), 1.01));
  EXPECT_TRUE(FindsDifference(Observe(0.9, 0.8, 0.95, "FASTER"), 0.9));
  EXPECT_FALSE(FindsDifference(Observe(1.03, 1.02, 1.04, "SLOWER"), 1));
}

TEST(Accuracy, CountsAndMedians) {
  Observation failed;
  failed.error = "crashed";
  const std::vector<Observation> observations = {
      Observe(1.00, 0.99, 1.01, "EQUAL"),  failed,
      Observe(1.04, 1.03, 1.05, "SLOWER"), Observe(0.98, 0.96, 1.02, "INCONCLUSIVE"),
      Observe(2.10, 2.00, 2.20, "SLOWER"),
  };
  const std::vector<double> truths = {1, 1, 1, 1, 2};
  const Accuracy accuracy = SummarizeAccuracy(observations, truths, 0.01);
  EXPECT_EQ(accuracy.experiments, 4);
  EXPECT_EQ(accuracy.errors, 1);
  EXPECT_EQ(accuracy.exclude_one, 2);
  EXPECT_EQ(accuracy.exclude_truth, 1);
  EXPECT_EQ(accuracy.false_verdicts, 1);
  EXPECT_EQ(accuracy.found, 1);
  EXPECT_NEAR(accuracy.largest_width, 0.2 / 2.1, 1e-12);
  EXPECT_NEAR(accuracy.median_width, (0.02 + 0.06 / 0.98) / 2, 1e-12);
  EXPECT_NEAR(accuracy.largest_error, 0.05, 1e-12);
  EXPECT_NEAR(accuracy.median_error, 0.03, 1e-12);
  EXPECT_NEAR(accuracy.bias, 0.02, 1e-12);
  EXPECT_NEAR(accuracy.median_wall, 1.02, 1e-12);
}

TEST(GeometricMean, LeavesOutWhatIsNone) {
  EXPECT_DOUBLE_EQ(GeometricMean({2, 8, NAN, 0, INFINITY}), 4);
  EXPECT_TRUE(std::isnan(GeometricMean({})));
}

TEST(Observation, RowsWithARatioAndRowsOfErrorsCount) {
  const auto observations = ParseObservations(R"({"context": {}, "benchmarks": [
    {"name": "A_vs_B/8/old", "run_type": "iteration", "real_time": 1.5},
    {"name": "A_vs_B/8", "run_type": "iteration", "label": "FASTER", "ratio": 0.75,
     "ratio_lo": 0.74, "ratio_hi": 0.76, "ratio_level": 0.99, "runs": 40, "pairs": 18000,
     "pairs_dropped": 12},
    {"name": "A_vs_B/8_mean", "run_type": "aggregate", "ratio": 0.75},
    {"name": "Crashes", "run_type": "iteration", "error_occurred": true,
     "error_message": "new was killed"},
    {"name": "Ordinary", "run_type": "iteration", "real_time": 2},
    {"name": "A", "label": "INCONCLUSIVE", "ratio": 1, "ratio_level": 0.99}]})");
  ASSERT_TRUE(observations.ok()) << observations.status();
  ASSERT_EQ(observations->size(), 3u);
  const Observation& first = (*observations)[0];
  EXPECT_EQ(first.name, "A_vs_B/8");
  EXPECT_EQ(first.ratio, 0.75);
  EXPECT_EQ(first.lo, 0.74);
  EXPECT_EQ(first.hi, 0.76);
  EXPECT_EQ(first.level, 0.99);
  EXPECT_EQ(first.verdict, "FASTER");
  EXPECT_EQ(first.runs, 40);
  EXPECT_EQ(first.pairs, 18000);
  EXPECT_EQ(first.dropped, 12);
  EXPECT_EQ(first.error, "");
  EXPECT_EQ((*observations)[1].name, "Crashes");
  EXPECT_EQ((*observations)[1].error, "new was killed");
  // An end that is not finite is left out of the file.
  EXPECT_EQ((*observations)[2].lo, 0);
  EXPECT_TRUE(std::isinf((*observations)[2].hi));
}

TEST(Observation, WhatIsNoSuchFileIsAnError) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"benchmarks": 3})", R"({"benchmarks": [{"ratio": 1}]})",
        R"({"benchmarks": [{"name": "A", "ratio": "one", "ratio_level": 0.99, "label": ""}]})",
        R"({"benchmarks": [{"name": "A", "ratio": 1}]})", R"({"benchmarks": [7]})"}) {
    EXPECT_FALSE(ParseObservations(text).ok()) << text;
  }
}

}  // namespace
}  // namespace duetbench::lab
