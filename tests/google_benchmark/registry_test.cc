#include "duetbench/google_benchmark/registry.h"

#include <cstdlib>

#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// The rows of a main that knows nothing of duets.
class RowsOfAnyMain : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& rows) override {
    runs.insert(runs.end(), rows.begin(), rows.end());
  }
  std::vector<Run> runs;
};

std::vector<benchmark::BenchmarkReporter::Run> RunAnyMain() {
  RowsOfAnyMain reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  return reporter.runs;
}

class PlaceholderTest : public ::testing::Test {
 protected:
  PlaceholderTest() { spec_.name = "a_vs_b"; }
  ~PlaceholderTest() override { benchmark::ClearRegisteredBenchmarks(); }
  DuetSpec spec_;
};

// The process that shows the row ends with an error, so each of these has a separate one.
TEST_F(PlaceholderTest, IsAnErrorThatSaysWhichMainToLink) {
  spec_.arguments = {{8}, {64}};
  RegisterPlaceholder(&spec_, nullptr);
  EXPECT_EXIT(
      {
        const auto runs = RunAnyMain();
        const bool is_right =
            runs.size() == 1 && runs[0].benchmark_name() == "a_vs_b" && internal::HasError(runs[0]);
        if (!is_right) std::_Exit(1);
        std::exit(0);
      },
      ::testing::ExitedWithCode(2),
      "duetbench: a_vs_b was not measured: .*DUET_MAIN.*duetbench::RunSpecifiedBenchmarks");
}

TEST_F(PlaceholderTest, TakesPartInNothingWhenWithdrawn) {
  RegisterPlaceholder(&spec_, nullptr);
  WithdrawPlaceholders();
  benchmark::RegisterBenchmark("ordinary", [](benchmark::State& state) {
    for (auto _ : state) {
    }
  })->Iterations(1);
  const auto runs = RunAnyMain();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].run_name.function_name, "ordinary");
  EXPECT_EQ(runs[0].family_index, 0);
}

TEST_F(PlaceholderTest, TellsWhenItIsCleared) {
  int cleared = 0;
  RegisterPlaceholder(&spec_, [&cleared] { ++cleared; });
  EXPECT_EQ(cleared, 0);
  benchmark::ClearRegisteredBenchmarks();
  EXPECT_EQ(cleared, 1);
  WithdrawPlaceholders();  // of which there are none
}

TEST_F(PlaceholderTest, WhatTheFilterLeavesOutIsNoError) {
  RegisterPlaceholder(&spec_, nullptr);
  EXPECT_EXIT(
      {
        RowsOfAnyMain reporter;
        benchmark::RunSpecifiedBenchmarks(&reporter, "something_else");
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace duetbench
