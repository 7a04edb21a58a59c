#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
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

// The drawing alone, a line for each function.
std::string Drawing(const std::string& html) {
  const size_t begin = html.find("<g>");
  return absl::StrReplaceAll(html.substr(begin, html.find("</svg>") - begin), {{"</g>", "</g>\n"}});
}

// Functions are as wide as their share of both times, from the left, one row above the root.
TEST(FlameGraph, ShowsBothTimesAndTheInterval) {
  EXPECT_EQ("\n" + Drawing(FlameGraph(Node("old and new", 100, 150, 5,
                                           {Node("Trim", 20, 70, 4), Node("Hash", 60, 62, 4),
                                            Node("operator<", 20, 18, 1)}))),
            R"(
<g><title>old and new: old 100 ns, new 150 ns, difference +50 ns (+45 ns to +55 ns)</title><rect class="fl up" x="0" y="20" width="1000" height="19" fill-opacity="0.8"/><text class="l" x="4" y="34">▲ old and new</text></g>
<g><title>Trim: old 20 ns, new 70 ns, difference +50 ns (+46 ns to +54 ns)</title><rect class="fl up" x="0" y="0" width="360" height="19" fill-opacity="0.8"/><text class="l" x="4" y="14">▲ Trim</text></g>
<g><title>Hash: old 60 ns, new 62 ns, difference +2 ns (−2 ns to +6 ns)</title><rect class="fl" x="360" y="0" width="488" height="19"/><text class="l" x="364" y="14">Hash</text></g>
<g><title>operator&lt;: old 20 ns, new 18 ns, difference −2 ns (−3 ns to −1 ns)</title><rect class="fl down" x="848" y="0" width="152" height="19" fill-opacity="0.2"/><text class="l" x="852" y="14">▼ operator&lt;</text></g>
)");
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
