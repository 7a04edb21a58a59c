#include "tools/duet_report/explain/explain.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/explain/counted_stacks.h"
#include "tests/tools/duet_report/explain/fake_code_names.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
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

}  // namespace
}  // namespace duetbench
