// Functions of benchmark::State& as variants: their loops are found by the linker's --wrap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// New does ten times the work. Who else is on the core makes one of them twice as slow.
void ExpectTenTimes(const std::string& filter, const std::string& name,
                    const std::string& seconds = "0.2") {
  const nlohmann::json report = ReportWith(
      "wrapped",
      {"--benchmark_filter=" + filter, "--benchmark_min_time=" + seconds, "--duet_runs=4"});
  EXPECT_GT(RatioOf(report, name), 4) << report.dump(1);
  EXPECT_LT(RatioOf(report, name), 25) << report.dump(1);
}

TEST(Wrapped, EachKindOfLoopIsTimed) {
  ExpectTenTimes("^range$", "range");
  ExpectTenTimes("^keep_running$", "keep_running");
  ExpectTenTimes("^batch$", "batch");
  ExpectTenTimes("^large_batch$", "large_batch");
}

TEST(Wrapped, OneVariantMayHaveOneLoopForAllSamples) { ExpectTenTimes("^mixed$", "mixed"); }

// An iteration takes 100 ns, a set-up 30 ms. A run measures at least one pair, and a disturbed
// one is measured once more; a set-up for each sample would be 200.
TEST(Wrapped, AnExpensiveSetUpIsCalledSeldom) {
  const nlohmann::json report =
      ReportWith("wrapped", {"--benchmark_filter=^counts_calls$", "--duet_runs=1",
                             "--benchmark_min_time=0.01", "--duet_isolation=thread"});
  for (const char* row : {"counts_calls/old", "counts_calls/new"}) {
    const auto calls = RowOf(report, row)["calls"].get<double>();
    EXPECT_GE(calls, 3) << row;
    EXPECT_LE(calls, 25) << row;
  }
}

TEST(Wrapped, SetUpIsNotTimed) { ExpectTenTimes("^set_up/", "set_up/100000"); }

TEST(Wrapped, CallsAreMuchLongerThanTheirSlowStart) {
  ExpectTenTimes("^slow_start$", "slow_start", "1");
}

TEST(Wrapped, APauseIsNotTimed) { ExpectTenTimes("^paused$", "paused"); }

TEST(Wrapped, ManualTimesAreUsed) {
  const nlohmann::json report = ReportOf("wrapped", "^manual/");
  EXPECT_NEAR(RatioOf(report, "manual/manual_time"), 1.5, 1e-9) << report.dump(1);
}

TEST(Wrapped, WhatTheFunctionReportsIsShown) {
  const nlohmann::json report = ReportOf("wrapped", "^set_up/|^range$");
  const nlohmann::json set_up = RowOf(report, "set_up/100000/new");
  EXPECT_EQ(set_up["label"], "of 100000");
  EXPECT_EQ(set_up["numbers"], 100000);
  // An item per iteration.
  const nlohmann::json range = RowOf(report, "range/old");
  EXPECT_EQ(range["time_unit"], "ns");
  const double items = range["items_per_second"].get<double>() * range["real_time"].get<double>();
  EXPECT_NEAR(std::log(items * 1e-9), 0, std::log(3.0)) << "a rate of the total, a typical time";
}

const Row kWrapped[] = {
    {"an error", "$wrapped --benchmark_filter=^error$", 2,
     "new reported an error: there is no file"},
    {"no loop", "$wrapped --benchmark_filter=^without_loop$", 2,
     "old reported an error: it returned without a loop"},
    {"a loop that ends early", "$wrapped --benchmark_filter=^leaves_early$", 2,
     "old reported an error: it left its loop early"},
};

TEST_ROWS(WrappedRows, kWrapped);

TEST(Wrapped, ALoopThatTheLinkerDoesNotWrapIsNamed) {
  if (!HasPath("parts_old")) GTEST_SKIP() << "Google Benchmark is a static library";
  EXPECT_THAT(Execute("wrapped", {"--benchmark_filter=^unwrapped$"}).out,
              Says("its loop is in a shared object that is not linked with duetbench, so it "
                   "cannot be timed: link it with duetbench as the program is"));
}

TEST(Wrapped, InTurnsToo) {
  const nlohmann::json report =
      ReportWith("wrapped", {"--benchmark_filter=^range$", "--duet_schedule=interleaved"});
  EXPECT_GT(RatioOf(report, "range"), 3) << report.dump(1);
}

TEST(Wrapped, OrdinaryBenchmarksStayAsTheyWere) {
  const nlohmann::json report = ReportOf("wrapped", "^ordinary$");
  EXPECT_GT(RowOf(report, "ordinary")["iterations"].get<int>(), 1);
}

}  // namespace
}  // namespace duetbench::integration
