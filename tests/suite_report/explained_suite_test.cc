#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "duetbench/suite_report/suite_formats.h"
#include "duetbench/suite_report/suite_summary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/suite_report/suites.h"

// The explanation of a verdict in the outputs about a suite.
namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kProgram[] = "./bench";

TEST(ExplainedSuite, EachOutputHasTheLines) {
  const std::vector<SuiteEntry> suite = {Explained("A")};
  const std::vector<GateStatus> statuses = GateStatuses(suite);
  const SuiteSummary summary = SummarizeSuite(suite, statuses);
  EXPECT_THAT(SuiteMarkdown(suite, statuses, summary, kProgram, SeparateCores()),
              HasSubstr("+6.0 of +7.0 % in operator new"));
  EXPECT_THAT(
      SuiteJunit(suite, statuses, WhenInconclusive::kSkip, kProgram, SeparateCores()),
      HasSubstr("&#10;+6.0 of +7.0 % in operator new&lt;x&gt;, called from Trim (maps.cc:12)"));
  const page::ShownSuite page = SuitePage(suite, statuses, summary, kProgram, {}, SeparateCores());
  EXPECT_THAT(page.benchmarks[0].notes,
              Contains("+6.0 of +7.0 % in operator new<x>, called from Trim (maps.cc:12)"));
}

TEST(ExplainedSuite, JsonHasAllParts) {
  std::vector<SuiteEntry> suite = {Explained("A"), Failing("B")};
  Explanation& explanation = suite[0].comparison.explanation;
  explanation.parts[0].same_code = true;
  explanation.calls.function = "old and new";
  explanation.calls.calls = {{"Trim", {{1, 2}, 1, 0.5, 1.5}, {}}};
  explanation.listing = {"hottest loop"};
  InstructionCounts counts[2];
  for (InstructionCounts& each : counts) each.functions[explanation.parts[0].function] = {2, 30};
  counts[1].allocations = 7;
  AddCounts(counts[0], counts[1], &explanation);
  const auto json = nlohmann::json::parse(SummaryJson(SummarizeSuite(suite, GateStatuses(suite))));
  const auto& slower = json["slower_duets"];
  ASSERT_EQ(slower.size(), 2u);
  EXPECT_FALSE(slower[1].contains("explanation"));
  const auto& part = slower[0]["explanation"]["parts"][0];
  EXPECT_EQ(part["caller_line"], "maps.cc:12");
  EXPECT_EQ(part["difference_lo_ns"], 5);
  EXPECT_EQ(part["same_code"], true);
  EXPECT_EQ(part["new_calls"], 2);
  EXPECT_EQ(part["old_instructions"], 30);
  const auto& whole = slower[0]["explanation"];
  EXPECT_EQ(whole["new_allocations"], 7);
  EXPECT_EQ(whole["listing"][0], "hottest loop");
  EXPECT_EQ(whole["calls"]["calls"][0]["function"], "Trim");
  EXPECT_EQ(whole["calls"]["calls"][0]["difference_hi_ns"], 1.5);
}

}  // namespace
}  // namespace duetbench
