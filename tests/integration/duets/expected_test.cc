// Whole reports, line by line, as expected_program.cc says beside each benchmark.
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

// Every expected line is one of the report's, in this order; others may stand between them.
void ExpectLines(const std::string& report, const std::vector<std::string>& expected) {
  const std::vector<std::string> lines = LinesOf(report);
  size_t next = 0;
  for (const std::string& line : expected) {
    const std::regex expression(line);
    const size_t from = next;
    while (next < lines.size() && !std::regex_search(lines[next], expression)) ++next;
    ASSERT_LT(next, lines.size()) << "no line " << line << " after line " << from << " of\n"
                                  << report;
    ++next;
  }
}

class ExpectedTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ExpectedTest, EachLineIsThere) {
  const std::string format = GetParam();
  const std::vector<std::string> expected =
      LinesOf(Execute("expected", {absl::StrCat("--expected=", format)}).out);
  ASSERT_GT(expected.size(), 8u);
  const Folder folder;
  const std::string path = folder.File("report");
  const Outcome outcome =
      Execute("expected", {absl::StrCat("--benchmark_format=", format), "--benchmark_out=" + path,
                           absl::StrCat("--benchmark_out_format=", format)});
  EXPECT_EQ(outcome.status, 2) << "one fails: " << outcome.err;
  ExpectLines(outcome.out, expected);
  ExpectLines(TextOf(path), expected);
}

INSTANTIATE_TEST_SUITE_P(Formats, ExpectedTest, ::testing::Values("console", "json", "csv"));

}  // namespace
}  // namespace duetbench::integration
