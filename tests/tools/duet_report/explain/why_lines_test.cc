#include "tools/duet_report/explain/why_lines.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr char kLine[] = "+9.0 of +10.0 % in Hash (two.cc:7), called from BM_New (two.cc:50)";

DifferencePart PartWith(const std::string& function, double old_ns, double new_ns, double half) {
  DifferencePart part;
  part.function = function;
  part.line = "two.cc:7";
  part.caller = "BM_New";
  part.caller_line = "two.cc:50";
  static_cast<TimeDifference&>(part) = {
      {old_ns, new_ns}, new_ns - old_ns, new_ns - old_ns - half, new_ns - old_ns + half};
  return part;
}

ExplainedDifference OfHash() {
  ExplainedDifference explanation;
  explanation.time_ns[0] = 1000;
  explanation.time_ns[1] = 1100;
  explanation.parts = {PartWith("Hash", 400, 490, 20)};
  for (FunctionCode& code : explanation.parts[0].code) {
    code.name = "Hash";
    code.file = "/home/a/bench";
  }
  return explanation;
}

std::string FirstLine(const ExplainedDifference& explanation) {
  return WhyLines(explanation).at(0);
}

TEST(WhyLines, NameProvenPartsOfATenthOfTheDifference) {
  ExplainedDifference explanation = OfHash();
  explanation.parts.push_back(PartWith("Noise", 100, 150, 60));
  explanation.parts.push_back(PartWith("Small", 100, 105, 1));
  EXPECT_THAT(WhyLines(explanation), ElementsAre(kLine));
  explanation.parts.erase(explanation.parts.begin());
  EXPECT_THAT(WhyLines(explanation), ElementsAre(StartsWith("not explained: of +10.0 % no ")));
}

TEST(WhyLines, SayWhetherTheMachineCodeIsTheSame) {
  ExplainedDifference explanation = OfHash();
  explanation.parts.push_back(PartWith("memcpy", 100, 150, 1));
  explanation.parts[1].is_system = true;
  int calls = 0;
  ForNamedCode(&explanation, [&](DifferencePart* part) {
    part->same_code = true;
    ++calls;
  });
  EXPECT_EQ(calls, 1) << "not of system code";
  EXPECT_EQ(
      FirstLine(explanation),
      std::string(kLine) + ": the same machine code in old and new, so more calls, layout or data");
  explanation.parts[0].same_code = false;
  EXPECT_EQ(FirstLine(explanation), std::string(kLine) + ": other machine code");
  explanation.parts[0].code[0] = {};
  EXPECT_EQ(FirstLine(explanation), std::string(kLine) + ": in old inlined, or seldom called");
}

// The first line with these counts of Hash.
std::string LineWith(ExplainedDifference explanation, const FunctionCounts& of_old,
                     const FunctionCounts& of_new) {
  FunctionTable variants[2];
  const std::string& name = explanation.parts[0].function;
  variants[0].functions[name] = of_old;
  variants[1].functions[name] = of_new;
  AddCounts(variants[0], variants[1], &explanation);
  return FirstLine(explanation);
}

TEST(WhyLines, HaveTheExactCounts) {
  ExplainedDifference explanation = OfHash();
  const std::string line = kLine;
  EXPECT_EQ(LineWith(explanation, {8, 400}, {9, 450}),
            line + ": 9 calls an iteration in place of 8");
  EXPECT_EQ(LineWith(explanation, {8, 1200}, {8, 2400}),
            line + ": 2,400 instructions an iteration in place of 1,200");
  EXPECT_EQ(LineWith(explanation, {0, 0}, {0, 0}), line) << "Callgrind does not know it";
  explanation.parts[0].same_code = true;
  EXPECT_EQ(LineWith(explanation, {8, 1200}, {8, 1200}),
            line +
                ": the same machine code in old and new, as many instructions in old and new "
                "(1,200 an iteration), so layout, data, caches or branches");
}

TEST(WhyLines, CallWhatHasTheSameCountsAConsequenceOfTheFirst) {
  ExplainedDifference explanation = OfHash();
  explanation.parts.push_back(PartWith("Loop", 100, 150, 1));
  FunctionTable variants[2];
  for (int v = 0; v < 2; ++v) {
    variants[v].functions = {{"Hash", {1, 100.0 + 50 * v}}, {"Loop", {1, 70}}};
  }
  AddCounts(variants[0], variants[1], &explanation);
  EXPECT_THAT(WhyLines(explanation),
              ElementsAre(EndsWith("150 instructions an iteration in place of 100"),
                          EndsWith("as many instructions in old and new (70 an iteration), so a "
                                   "consequence of the above, layout, data, caches or branches")));
}

TEST(WhyLines, CountAllocations) {
  ExplainedDifference explanation = OfHash();
  explanation.parts = {PartWith("operator new", 400, 490, 20)};
  explanation.parts[0].is_system = true;
  const std::string line = "+9.0 of +10.0 % in operator new, called from BM_New (two.cc:50): ";
  EXPECT_EQ(LineWith(explanation, {1, 50}, {2, 100}), line + "1 more allocation an iteration");
  EXPECT_EQ(LineWith(explanation, {3, 50}, {1, 100}), line + "2 fewer allocations an iteration");
}

}  // namespace
}  // namespace duetbench
