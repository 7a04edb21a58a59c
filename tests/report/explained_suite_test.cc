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

using ::testing::HasSubstr;

TEST(ExplainedSuite, EachOutputHasTheLines) {
  const SuiteFacts suite = FactsOf({Explained("A")});
  EXPECT_THAT(SuiteMarkdown(suite), HasSubstr("\n- +6.0 of +7.0 % in operator new"));
  EXPECT_THAT(
      SuiteJunit(suite, WhenInconclusive::kSkip),
      HasSubstr("&#10;+6.0 of +7.0 % in operator new&lt;x&gt;, called from Trim (maps.cc:12)"));
}

TEST(ExplainedSuite, JsonHasWhatTheToolSays) {
  std::vector<SuiteEntry> suite = {Explained("A"), Failing("B")};
  for (SuiteEntry& entry : suite) entry.facts = FactsOf(entry.facts.name, entry.comparison);
  const auto json = nlohmann::json::parse(SummaryJson(SummarizeSuite(suite)));
  const auto& slower = json["slower_duets"];
  ASSERT_EQ(slower.size(), 2u);
  EXPECT_EQ(slower[0]["explanation"]["level"], 0.99);
  EXPECT_FALSE(slower[1].contains("explanation"));
}

}  // namespace
}  // namespace duetbench
