#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/page.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CallNode Node(const std::string& function, double old_ns, double new_ns, double half,
              std::vector<CallNode> calls = {}) {
  CallNode node;
  node.function = function;
  const double difference = new_ns - old_ns;
  node.time = {{old_ns, new_ns}, difference, difference - half, difference + half};
  node.calls = std::move(calls);
  return node;
}

TEST(FlameGraph, ShowsBothTimesAndTheInterval) {
  const std::string html = FlameGraph(
      Node("old and new", 100, 150, 5,
           {Node("Trim", 20, 70, 4), Node("Hash", 60, 62, 4), Node("operator<", 20, 18, 1)}));
  EXPECT_THAT(html, HasSubstr("Trim: old 20 ns, new 70 ns, difference +50 ns (+46 ns to +54 ns)"));
  EXPECT_THAT(html, HasSubstr("Hash: old 60 ns, new 62 ns, difference +2 ns (−2 ns to +6 ns)"));
  EXPECT_THAT(html, HasSubstr(">▲ Trim<"));
  EXPECT_THAT(html, HasSubstr(">Hash<"));
  EXPECT_THAT(html, HasSubstr(">▼ operator&lt;<"));
  // As wide as their share of both times, from the left, one row above the root.
  EXPECT_THAT(html, HasSubstr("class=\"fl up\" x=\"0\" y=\"0\" width=\"360\""));
  EXPECT_THAT(html, HasSubstr("class=\"fl\" x=\"360\" y=\"0\" width=\"488\""));
  EXPECT_THAT(html, HasSubstr("class=\"fl down\" x=\"848\" y=\"0\" width=\"152\""));
}

TEST(FlameGraph, ALongNameIsCutAndANarrowOneIsLeftToTheMouse) {
  const std::string name(200, 'x');
  const std::string html =
      FlameGraph(Node("old and new", 100, 100, 5, {Node(name, 50, 50, 4), Node("Hash", 1, 1, 4)}));
  EXPECT_THAT(html, HasSubstr("xxx…<"));
  EXPECT_THAT(html, HasSubstr("<title>Hash: "));
  EXPECT_THAT(html, Not(HasSubstr(">Hash<")));
}

TEST(FlameGraph, IsOnThePageWhereThereAreCalls) {
  Facts shown = ShownWithRatio("a", 1.3);
  EXPECT_THAT(PageOf({shown}), Not(HasSubstr("class=\"flame\"")));
  EXPECT_EQ(FlameGraph(Node("old and new", 100, 100, 5)), "");
  shown.explanation = R"({"calls": {"old_ns": 100, "new_ns": 130, "calls": [
      {"function": "<img src=x>", "old_ns": 50, "new_ns": 80}]}})";
  const std::string html = PageOf({shown});
  EXPECT_THAT(html, HasSubstr("class=\"flame\""));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace duetbench::page
