#include "tools/duet_lab/observation.h"

#include <cmath>
#include <string>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(Observation, RowsWithARatioAndRowsOfErrorsCount) {
  const auto observations = ParseObservations(R"({"context": {}, "benchmarks": [
    {"name": "A_vs_B/8/old", "run_type": "iteration", "real_time": 1.5},
    {"name": "A_vs_B/8", "run_type": "iteration", "label": "FASTER", "ratio": 0.75,
     "ratio_lo": 0.74, "ratio_hi": 0.76, "ratio_level": 0.99, "runs": 40, "pairs": 18000,
     "pairs_dropped": 12},
    {"name": "A_vs_B/8_mean", "run_type": "aggregate", "ratio": 0.75},
    {"name": "Crashes", "run_type": "iteration", "error_occurred": true,
     "error_message": "new was killed"},
    {"name": "Ordinary", "run_type": "iteration", "real_time": 2}]})");
  ASSERT_TRUE(observations.ok()) << observations.status();
  ASSERT_EQ(observations->size(), 2u);
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
}

// An end that is not finite is left out of the file.
TEST(Observation, AMissingEndIsUnbounded) {
  const auto observations = ParseObservations(
      R"({"benchmarks": [{"name": "A", "label": "INCONCLUSIVE", "ratio": 1, "ratio_level": 0.99}]})");
  ASSERT_TRUE(observations.ok()) << observations.status();
  EXPECT_EQ((*observations)[0].lo, 0);
  EXPECT_TRUE(std::isinf((*observations)[0].hi));
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
