#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_summary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

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

TEST(ExplainedSuite, JsonHasWhatTheToolSays) {
  const std::vector<SuiteEntry> suite = {Explained("A"), Failing("B")};
  const auto json = nlohmann::json::parse(SummaryJson(SummarizeSuite(suite, GateStatuses(suite))));
  const auto& slower = json["slower_duets"];
  ASSERT_EQ(slower.size(), 2u);
  EXPECT_EQ(slower[0]["explanation"]["level"], 0.99);
  EXPECT_FALSE(slower[1].contains("explanation"));
}

}  // namespace
}  // namespace duetbench
