#include "tools/duet/plain_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/strings/str_cat.h"

namespace duetbench::duet {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// A report as Google Benchmark writes it, with `between` before each row.
std::string Report(const std::vector<std::string>& rows, const std::string& between = "") {
  std::string report = "{\n  \"context\": {\n  },\n  \"benchmarks\": [\n";
  for (const std::string& row : rows) {
    absl::StrAppend(&report, between, "    {\n      \"name\": \"a\",\n      ", row, "\n    },\n");
  }
  return report + "  ]\n}\n";
}

std::string Iteration(const std::string& fields) {
  return R"("run_type": "iteration", "iterations": 10, "cpu_time": 1, )" + fields;
}

TEST(TimesIn, AreThoseOfTheRowInNanoseconds) {
  const auto times = TimesIn(Report({Iteration(R"("real_time": 1.5, "time_unit": "us")")}));
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 1500);
  EXPECT_EQ(times->cpu_ns, 1000);
  EXPECT_EQ(times->iterations, 10);
}

TEST(LeaveOutOthers, WhereWaitingForACpuExplainsTheRealTime) {
  const auto real_ns = [](double waited_ns, double times_blocked) {
    ExecutionTimes times = {/*real_ns=*/15, /*cpu_ns=*/10, /*iterations=*/100};
    LeaveOutOthers(waited_ns, times_blocked, &times);
    return times.real_ns;
  };
  EXPECT_EQ(real_ns(500, 3), 10);
  EXPECT_EQ(real_ns(400, 3), 15) << "it slept, or waited for a disk";
  EXPECT_EQ(real_ns(500, 100), 15) << "in each iteration, perhaps";
}

TEST(TimesIn, WithoutATimeAreAnError) {
  EXPECT_TRUE(absl::IsAborted(
      TimesIn(Report({R"("error_occurred": true, "error_message": "no file")"})).status()));
  const std::string whole = Report({Iteration(R"("real_time": 1)")});
  for (const std::string& report :
       {std::string(), std::string("{}"), Report({}), Report({R"("run_type": "iteration")"}),
        whole.substr(0, whole.size() - 14)}) {
    EXPECT_THAT(TimesIn(report).status().message(), HasSubstr("no time")) << report;
  }
}

TEST(TimesIn, StandAmongWhatTheProgramPrints) {
  for (const std::string text : {"version {1}\n", "without an end of the line", "    {\n"}) {
    const auto times = TimesIn(
        text + Report({Iteration(R"("real_time": 6)"), Iteration(R"("real_time": 8)")}, text));
    ASSERT_TRUE(times.ok()) << times.status();
    EXPECT_EQ(times->real_ns, 7);
  }
}

TEST(TimesIn, AreTheMeanThatIsReportedAlone) {
  const std::string mean =
      R"("run_type": "aggregate", "aggregate_name": "mean", "iterations": 3, "real_time": 5)";
  const std::string deviation =
      R"("run_type": "aggregate", "aggregate_name": "stddev", "iterations": 3, "real_time": 1)";
  const auto times = TimesIn(Report({mean, deviation}));
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(times->real_ns, 5);
}

TEST(OfferOfList, HasTheBenchmarksWithWhatTheirNamesTell) {
  const Offer offer = OfferOfList(
      "driver 1\na\nb/8/real_time/threads:4\n\nc/manual_time\nd/process_time\ndriver 1 ends\n",
      "driver 1\nnothing matches\ndriver 1 ends\n");
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
