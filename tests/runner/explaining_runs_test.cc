#include "duetbench/runner/explaining_runs.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/explain/counted_stacks.h"
#include "tests/explain/fake_code_names.h"
#include "tests/sampling/pair_of.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The explanation of the ratio 1.10 [1.08, 1.12] by runs with `ratio`: what new takes longer is
// malloc.
Explanation ExplainedBy(double ratio, int runs = 8, double spread = 0) {
  FakeCodeNames names({
      {1, {{"malloc", "/usr/lib/libc.so", 0}}},
      {2, {{"BM_Trim(benchmark::State&)", "/src/two.cc", 40}}},
      {9, {{"duetbench::Variant::Run()", "/src/v.h", 9}}},
  });
  std::vector<RunResult> results;
  for (int run = 0; run < runs; ++run) {
    const double change = run % 2 == 0 ? 1 + spread : 1 - spread;
    RunResult& result = results.emplace_back(EqualPairs(1000, 1000 * ratio * change));
    result.stacks[0] = {StacksOf({{{2}, 1000}})};
    result.stacks[1] = {StacksOf({{{2}, 1000}, {{1, 2}, 100}})};
  }
  Estimate estimate;
  estimate.interval = {1.10, 1.08, 1.12, 0.99, stats::IntervalKind::kWeighted, ""};
  estimate.time_ns[0] = 1000;
  estimate.time_ns[1] = 1100;
  return ExplainByRuns(std::move(results), ExperimentOptions(), /*ns_per_tick=*/1, estimate, &names,
                       [] {
                         std::vector<InstructionCounts> counts(2);
                         counts[1].functions["malloc"] = {1, 70};
                         return absl::StatusOr<std::vector<InstructionCounts>>(counts);
                       });
}

TEST(ExplainByRuns, NamesThePartWithItsCounts) {
  const Explanation explanation = ExplainedBy(1.1);
  ASSERT_FALSE(explanation.parts.empty()) << explanation.error;
  const DifferencePart& first = explanation.parts[0];
  EXPECT_EQ(first.function, "malloc");
  EXPECT_NEAR(first.difference_ns, 100, 1e-6);
  ASSERT_TRUE(first.counts[1].has_value());
  EXPECT_EQ(first.counts[1]->calls, 1);
}

TEST(ExplainByRuns, ExplainsADifferenceThatTheRunsShowAgain) {
  EXPECT_THAT(ExplainedBy(1.06).error, IsEmpty()) << "more than half of it";
  EXPECT_THAT(ExplainedBy(1.15).error, IsEmpty());
  EXPECT_THAT(ExplainedBy(1.02).error, HasSubstr("do not show the difference again: 1.02"));
  EXPECT_THAT(ExplainedBy(0.9).error, HasSubstr("again: 0.9"));
  EXPECT_THAT(ExplainedBy(1.3).error, HasSubstr("again: 1.3"));
  EXPECT_THAT(ExplainedBy(1.02).parts, IsEmpty());
}

TEST(ExplainByRuns, RunsThatShowNoDifferenceExplainNothing) {
  EXPECT_THAT(ExplainedBy(1.1, 8, 0.02).error, IsEmpty());
  EXPECT_THAT(ExplainedBy(1.1, 8, 0.2).error, HasSubstr("do not show the difference again"))
      << "their interval has 1 in it";
}

TEST(ExplainByRuns, RunsWithoutPairsExplainNothing) {
  EXPECT_FALSE(ExplainedBy(1.1, 0).error.empty());
}

}  // namespace
}  // namespace duetbench
