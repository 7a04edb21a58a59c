#include "duetbench/runner/explaining_runs.h"

#include <cstdint>
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
  estimate.interval = {1.10, 1.08, 1.12, 0.99, stats::IntervalKind::kRobust, ""};
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// All of the difference is in `function`, at the same place of one file in old and new.
Explanation OfFunction(const std::string& function, uint64_t size) {
  Explanation explanation;
  explanation.time_ns[0] = 100;
  explanation.time_ns[1] = 150;
  DifferencePart& part = explanation.parts.emplace_back();
  part.function = function;
  static_cast<TimeDifference&>(part) = {{100, 150}, 50, 40, 60};
  for (FunctionCode& code : part.code) {
    code.name = function;
    code.file = "/no/such/program";
    code.begin = 100;
    code.size = size;
  }
  return explanation;
}

TEST(ExplainedCode, AFunctionWithoutASymbolHasNoListing) {
  Explanation explanation = OfFunction("", 0);
  ListHottestLoop(&explanation);
  EXPECT_THAT(explanation.listing, ElementsAre(HasSubstr("the function has no symbol")));
}

TEST(ExplainedCode, AListingThatFailsSaysWhy) {
  Explanation explanation = OfFunction("Hash", 10);
  ListHottestLoop(&explanation);
  EXPECT_THAT(explanation.listing, ElementsAre(HasSubstr("objdump")));
}

TEST(ExplainedCode, InOneProgramAFunctionOfBothIsTheSameCode) {
  Explanation explanation = OfFunction("Hash", 10);
  CompareNamedCode(&explanation);
  EXPECT_EQ(explanation.parts[0].same_code, true);
  explanation.parts[0].code[1].begin = 200;
  CompareNamedCode(&explanation);
  EXPECT_EQ(explanation.parts[0].same_code, false);
}

}  // namespace

}  // namespace duetbench
