#include "tools/duet_report/explain/explained_difference.h"

#include <cmath>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/explain/counted_stacks.h"
#include "tests/tools/duet_report/explain/fake_code_names.h"
#include "tools/duet_report/explain/explain.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

constexpr char kSmallFunctions[] = "functions below 1 %";

FakeCodeNames NamesOfParts() {
  return FakeCodeNames({
      {1, {{"Hash(int)", "/src/two.cc", 7}}},
      {2, {{"BM_Old(benchmark::State&)", "/src/two.cc", 40}}},
      {3, {{"BM_New(benchmark::State&)", "/src/two.cc", 50}}},
      {4, {{"operator new(unsigned long)", "/usr/include/new", 1}}},
      {5, {{"Trim(std::string)", "/src/two.cc", 12}}},
      {6, {{"Rare()", "/src/two.cc", 80}}},
      {9, {{"duetbench::Variant::Run()", "/src/v.h", 9}}},
  });
}

// Eight runs: of 1,000 ns of old 400 are in Hash; new takes 100 more, in an allocation.
std::vector<RunStacks> RunsWithAnAllocation() {
  std::mt19937 random(1);
  const auto about = [&random](double mean) {
    return static_cast<uint64_t>(
        std::lround(std::normal_distribution<>(mean, std::sqrt(mean))(random)));
  };
  std::vector<RunStacks> runs;
  for (int run = 0; run < 8; ++run) {
    RunStacks& stacks = runs.emplace_back();
    stacks.variants[0] = {
        StacksOf({{{1, 2}, about(800)}, {{2}, about(1000)}, {{5, 2}, about(200)}})};
    stacks.variants[1] = {StacksOf({{{1, 3}, about(800)},
                                    {{3}, about(1000)},
                                    {{5, 3}, about(200)},
                                    {{4, 5, 3}, about(200)},
                                    {{6, 3}, 2}})};
  }
  return runs;
}

TEST(Explain, TheFunctionAndItsCall) {
  FakeCodeNames names = NamesOfParts();
  const ExplainedDifference explanation =
      Explain(RunsWithAnAllocation(), {1000, 1100}, 0.99, &names);
  ASSERT_FALSE(explanation.parts.empty());
  const DifferencePart& first = explanation.parts[0];
  EXPECT_EQ(first.function, "operator new");
  EXPECT_EQ(first.caller, "Trim");
  EXPECT_EQ(first.caller_line, "two.cc:12");
  EXPECT_NEAR(first.difference_ns, 100, 15);
  EXPECT_TRUE(first.is_proven());
  for (const DifferencePart& part : explanation.parts) {
    const bool has_changed = part.function == "operator new" || part.function == kSmallFunctions;
    EXPECT_TRUE(has_changed || !part.is_proven()) << part.function;
  }
  EXPECT_THAT(WhyLines(explanation),
              ElementsAre(testing::AllOf(
                  StartsWith("+"), testing::HasSubstr(" of +10.0 % in operator new, called from "
                                                      "Trim (two.cc:12)"))));
}

// New loses 600 ns of Hash, and gains 400 in an allocation and 300 in Trim.
TEST(Explain, WhatTakesLongerComesFirstWhereNewIsSlower) {
  FakeCodeNames names = NamesOfParts();
  std::vector<RunStacks> runs;
  for (uint64_t run = 0; run < 8; ++run) {
    RunStacks& stacks = runs.emplace_back();
    stacks.variants[0] = {StacksOf({{{1, 2}, 900 + run}, {{2}, 100}})};
    stacks.variants[1] = {
        StacksOf({{{1, 3}, 300}, {{4, 3}, 400 + run}, {{5, 3}, 300}, {{3}, 100}})};
  }
  std::vector<std::string> functions;
  for (const DifferencePart& part : Explain(runs, {1000, 1100}, 0.99, &names).parts) {
    if (std::abs(part.difference_ns) > 10) functions.push_back(part.function);
  }
  EXPECT_THAT(functions, ElementsAre("operator new", "Trim", "Hash"));
}

TEST(Explain, TheFunctionsThatAreComparedAreOnePart) {
  std::vector<RunStacks> runs(4);
  for (size_t run = 0; run < runs.size(); ++run) {
    runs[run].variants[0] = {StacksOf({{{2}, 500 + run}, {{1, 2}, 500}})};
    runs[run].variants[1] = {StacksOf({{{3}, 750 + run}, {{1, 3}, 250}})};
  }
  FakeCodeNames names = NamesOfParts();
  const ExplainedDifference explanation = Explain(runs, {100, 200}, 0.99, &names);
  ASSERT_EQ(explanation.parts.size(), 2u);
  EXPECT_EQ(explanation.parts[0].function, "BM_New");
  EXPECT_TRUE(explanation.parts[0].is_variant);
  EXPECT_THAT(WhyLines(explanation),
              ElementsAre(StartsWith("+100.0 of +100.0 % in BM_New itself (two.cc:50)")));
}

// The same shares in both: 200 experiments, of which at most 1 % may name a function. The bound is
// the 99.9 % quantile of that binomial distribution.
TEST(Explain, IdenticalCodeHasNoProvenPart) {
  std::mt19937 random(7);
  FakeCodeNames names = NamesOfParts();
  int false_ones = 0;
  for (int experiment = 0; experiment < 200; ++experiment) {
    std::vector<RunStacks> runs(8);
    for (RunStacks& run : runs) {
      for (int v = 0; v < 2; ++v) {
        std::discrete_distribution<int> places({50, 30, 15, 5});
        uint64_t counts[4] = {0, 0, 0, 0};
        for (int i = 0; i < 150; ++i) ++counts[places(random)];
        run.variants[v] = {StacksOf(
            {{{2}, counts[0]}, {{1, 2}, counts[1]}, {{5, 2}, counts[2]}, {{4, 5, 2}, counts[3]}})};
      }
    }
    const ExplainedDifference explanation = Explain(runs, {1000, 1000}, 0.99, &names);
    for (const DifferencePart& part : explanation.parts) {
      if (!part.is_proven()) continue;
      ++false_ones;
      break;
    }
  }
  EXPECT_LE(false_ones, 7);
}

struct CountedPart {
  const char* function;
  double difference_ns;
  double half;  // width of its interval
  FunctionCounts of_old;
  FunctionCounts of_new;
};

// The functions of an explanation of `whole_ns` in the order of its parts.
std::vector<std::string> Order(double whole_ns, const std::vector<CountedPart>& parts) {
  ExplainedDifference explanation;
  explanation.time_ns[0] = 1000;
  explanation.time_ns[1] = 1000 + whole_ns;
  FunctionTable counts[2];
  for (const CountedPart& counted : parts) {
    DifferencePart& part = explanation.parts.emplace_back();
    part.function = counted.function;
    part.difference_ns = counted.difference_ns;
    part.lo_ns = counted.difference_ns - counted.half;
    part.hi_ns = counted.difference_ns + counted.half;
    counts[0].functions[counted.function] = counted.of_old;
    counts[1].functions[counted.function] = counted.of_new;
  }
  AddCounts(counts[0], counts[1], &explanation);
  std::vector<std::string> order;
  for (const DifferencePart& part : explanation.parts) order.push_back(part.function);
  return order;
}

TEST(Explain, ThePartWithMoreInstructionsComesBeforeItsConsequences) {
  EXPECT_THAT(Order(100, {{"Loop", 60, 5, {1, 500}, {1, 500}},
                          {"free", 22, 5, {0, 0}, {1, 96}},
                          {"malloc", 18, 5, {0, 0}, {1, 54}}}),
              ElementsAre("free", "malloc", "Loop"));
  EXPECT_THAT(
      Order(100, {{"Caller", 70, 5, {1, 1400}, {1, 1200}}, {"Mix", 30, 5, {0, 0}, {9, 90}}}),
      ElementsAre("Mix", "Caller"))
      << "fewer instructions do not take longer";
  EXPECT_THAT(
      Order(-100, {{"Loop", -60, 5, {1, 500}, {1, 500}}, {"free", -40, 5, {1, 96}, {0, 0}}}),
      ElementsAre("free", "Loop"))
      << "new is faster";
}

TEST(Explain, PartsKeepTheOrderOfTheirTimesWithoutAReasonInCounts) {
  EXPECT_THAT(
      Order(100, {{"Stride", 60, 5, {1, 500}, {1, 502}}, {"Loop", 40, 5, {1, 10}, {1, 10}}}),
      ElementsAre("Stride", "Loop"));
  EXPECT_THAT(Order(100, {{"unknown", 60, 5, {0, 0}, {0, 0}}, {"free", 40, 5, {0, 0}, {1, 96}}}),
              ElementsAre("unknown", "free"));
  EXPECT_THAT(Order(100, {{"Stride", 92, 5, {1, 500}, {1, 500}}, {"Small", 8, 5, {0, 0}, {1, 9}}}),
              ElementsAre("Stride", "Small"))
      << "a small part explains nothing";
  EXPECT_THAT(
      Order(100, {{"Stride", 70, 5, {1, 500}, {1, 500}}, {"Noise", 30, 35, {1, 9}, {1, 19}}}),
      ElementsAre("Stride", "Noise"))
      << "that is not proven";
}

}  // namespace
}  // namespace duetbench
