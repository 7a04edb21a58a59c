#include "tools/duet_report/explain/explain.h"

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/explain/counted_stacks.h"
#include "tests/tools/duet_report/explain/fake_code_names.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Eight runs in which new calls malloc, which takes 100 of its 1,100 ns.
RecordedStacks WithMalloc() {
  RecordedStacks recording;
  recording.time_ns[0] = 1000;
  recording.time_ns[1] = 1100;
  recording.level = 0.99;
  recording.runs.resize(8);
  for (RunStacks& run : recording.runs) {
    run.variants[0] = {StacksOf({{{2}, 1000}})};
    run.variants[1] = {StacksOf({{{2}, 1000}, {{1, 2}, 100}})};
  }
  return recording;
}

FakeCodeNames NamesOfTrim() {
  return FakeCodeNames({
      {1, {{"malloc", "/usr/lib/libc.so", 0}}},
      {2, {{"BM_Trim(benchmark::State&)", "/src/two.cc", 40}}},
      {9, {{"duetbench::Variant::Run()", "/src/v.h", 9}}},
  });
}

TEST(ExplainRecording, NamesThePartWithItsCounts) {
  FakeCodeNames names = NamesOfTrim();
  RecordedStacks recording = WithMalloc();
  recording.counts = {{"fn=Trim\n0 10\n", 1}, {"fn=Trim\n0 10\ncfn=malloc\ncalls=1 0\n0 70\n", 1}};
  const Explanation explanation = ExplainRecording(recording, &names);
  EXPECT_THAT(explanation.lines,
              ElementsAre(StartsWith("+10.0 of +10.0 % in malloc, called from BM_Trim")));
  EXPECT_THAT(explanation.lines, ElementsAre(HasSubstr("1 more allocation an iteration")));
  const auto json = nlohmann::json::parse(explanation.json);
  const auto& part = json["parts"][0];
  EXPECT_EQ(part["function"], "malloc");
  EXPECT_NEAR(part["difference_ns"].get<double>(), 100, 1e-6);
  EXPECT_EQ(part["new_calls"], 1);
  EXPECT_EQ(json["new_allocations"], 1);
  const CallNode calls = CallsIn(json["calls"]);
  ASSERT_EQ(calls.calls.size(), 1u);
  EXPECT_EQ(calls.calls[0].function, "malloc");
  EXPECT_NEAR(calls.calls[0].time.ns[1], 100, 1e-6);
  EXPECT_EQ(calls.calls[0].time.lo_ns, json["calls"]["calls"][0]["difference_lo_ns"]);
}

TEST(ExplainRecording, WithoutNamesItSaysWhy) {
  const Explanation explanation = ExplainRecording(WithMalloc(), nullptr);
  EXPECT_THAT(explanation.lines, ElementsAre(HasSubstr("not explained: duet_report was built")));
  EXPECT_TRUE(nlohmann::json::parse(explanation.json).contains("error"));
}

// All of the difference is in `function`, at the same place of one file in old and new.
ExplainedDifference OfFunction(const std::string& function, uint64_t size) {
  ExplainedDifference explained;
  explained.time_ns[0] = 100;
  explained.time_ns[1] = 150;
  DifferencePart& part = explained.parts.emplace_back();
  part.function = function;
  static_cast<TimeDifference&>(part) = {{100, 150}, 50, 40, 60};
  for (FunctionCode& code : part.code) {
    code.name = function;
    code.file = "/no/such/program";
    code.begin = 100;
    code.size = size;
  }
  return explained;
}

TEST(ExplainedCode, WithoutASymbolOrAFileItIsNotListed) {
  ExplainedDifference explained = OfFunction("", 0);
  ListHottestLoop(&explained);
  EXPECT_THAT(explained.listing, ElementsAre(HasSubstr("the function has no symbol")));
  explained = OfFunction("Hash", 10);
  ListHottestLoop(&explained);
  EXPECT_THAT(explained.listing, ElementsAre(HasSubstr("objdump")));
}

TEST(ExplainedCode, InOneProgramAFunctionOfBothIsTheSameCode) {
  ExplainedDifference explained = OfFunction("Hash", 10);
  CompareNamedCode(&explained);
  EXPECT_EQ(explained.parts[0].same_code, true);
  explained.parts[0].code[1].begin = 200;
  CompareNamedCode(&explained);
  EXPECT_EQ(ExplanationJson(explained)["parts"][0]["same_code"], false);
}

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
