#include "tools/duet/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::HasSubstr;

TEST(TimesIn, AreThoseOfTheRowInNanoseconds) {
  const auto times = TimesIn(
      R"({"context": {}, "benchmarks": [{"name": "a", "run_type": "iteration", "iterations": 20,
          "real_time": 1.5, "cpu_time": 3.0, "time_unit": "us"}]})");
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 1500);
  EXPECT_EQ(times->cpu_ns, 3000);
  EXPECT_EQ(times->iterations, 20);
}

TEST(TimesIn, AreTheMeanOfRepetitionsAndNotOfAggregates) {
  const auto times = TimesIn(
      R"({"benchmarks": [
          {"run_type": "iteration", "iterations": 10, "real_time": 1, "cpu_time": 1},
          {"run_type": "iteration", "iterations": 10, "real_time": 3, "cpu_time": 1},
          {"run_type": "aggregate", "iterations": 2, "real_time": 100, "cpu_time": 1}]})");
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 2);
}

TEST(TimesIn, WithoutATimeAreAnError) {
  EXPECT_TRUE(absl::IsAborted(
      TimesIn(R"({"benchmarks": [{"error_occurred": true, "error_message": "no file"}]})")
          .status()));
  for (const char* report : {"", "{", "{}", "[]", R"({"benchmarks": []})",
                             R"({"benchmarks": [{"run_type": "iteration", "iterations": 1}]})"}) {
    EXPECT_THAT(TimesIn(report).status().message(), HasSubstr("no time")) << report;
  }
}

}  // namespace
}  // namespace duetbench::duet
