#include "tools/duet/plain_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::Contains;
using testing::ElementsAre;
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

TEST(TimesIn, FollowWhatTheProgramHasPrinted) {
  const auto times = TimesIn(
      "version {1}\n{\n  \"context\": {}, \"benchmarks\": [{\"run_type\": "
      "\"iteration\", \"iterations\": 2, \"real_time\": 7}]}");
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 7);
}

TEST(TimesIn, AreTheMeanThatIsReportedAlone) {
  const auto times = TimesIn(
      R"({"benchmarks": [
          {"run_type": "aggregate", "aggregate_name": "mean", "iterations": 3, "real_time": 5},
          {"run_type": "aggregate", "aggregate_name": "stddev", "iterations": 3, "real_time": 1}]})");
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 5);
}

TEST(OfferOfList, ReadsThreadsAndTimesFromNames) {
  const Offer offer = OfferOfList("a\nb/8/real_time/threads:4\n\nc/manual_time\nd/process_time\n");
  ASSERT_EQ(offer.benchmarks.size(), 4u);
  EXPECT_EQ(offer.protocol, kPlainProtocol);
  EXPECT_EQ(offer.benchmarks[0].name, "a");
  EXPECT_EQ(offer.benchmarks[0].threads, 0);
  EXPECT_EQ(offer.benchmarks[1].threads, 4);
  EXPECT_TRUE(offer.benchmarks[1].real_time);
  EXPECT_TRUE(offer.benchmarks[2].manual_time);
  EXPECT_TRUE(offer.benchmarks[3].process_cpu_time);
}

TEST(BenchmarkOf, DrivesBothProgramsByTheirFlags) {
  const ProgramCommand programs[2] = {{"bench", false, {"-x"}}, {"A=1 ./b", true, {}}};
  const ExecutedPrograms executed = BenchmarkOf(programs, "sort/8");
  RunPlan plan;
  EXPECT_THAT(executed.words(0, plan, 0.25),
              ElementsAre("./bench", "-x", "--benchmark_filter=^sort/8$",
                          "--benchmark_min_time=0.2500", "--benchmark_format=json"));
  EXPECT_EQ(executed.words(1, plan, 0.25).front(), "/bin/sh");
  plan.fixed_iterations = 10;
  EXPECT_THAT(executed.words(0, plan, 0.25), Contains("--benchmark_min_time=10x"));
}

}  // namespace
}  // namespace duetbench::duet
