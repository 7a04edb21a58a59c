#include "tools/duet_report/page/page.h"

#include <limits>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_report/page/shown_suites.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Facts WithError(const std::string& name) {
  Facts shown;
  shown.name = name;
  shown.error = "new threw <std::bad_alloc>";
  shown.gate = GateStatus::kError;
  return shown;
}

TEST(PageHtml, LoadsNothingAndHasNoScript) {
  const std::string html = PageOf({ShownWithPairs("a/1", 0.8)});
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  for (const char* word : {"<script", "http:", "https:", "src=", "url(", "@import", "onclick"}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
}

TEST(PageHtml, EscapesEveryText) {
  const std::string evil = "</style><img src=x onerror='a()'>\"&";
  Facts shown = ShownWithPairs(evil, 0.8);
  shown.sentence = shown.effort = shown.gate_limit = evil;
  shown.file = shown.repeat = shown.message = shown.ranking = evil;
  shown.gate = GateStatus::kPass;
  shown.diagnosis = shown.why = {evil};
  shown.notices = {{evil, evil}};
  shown.counters = {{evil, evil, evil, evil}};
  shown.quantiles = {ShownQuantileOf(0.5, evil, 0.9)};
  shown.quantiles[0].gate_limit = evil;
  shown.quantiles[0].gate = GateStatus::kFail;
  shown.quantiles.emplace_back();
  shown.quantiles[1].name = shown.quantiles[1].gap = evil;
  Facts broken = WithError(evil);
  broken.error = evil;
  std::vector<Facts> benchmarks = {shown, broken};
  for (const char* size : {"/1", "/2", "/3"}) {
    benchmarks.push_back(ShownWithRatio(evil + size, 0.9));
  }
  const std::string html = PageHtml({evil, evil, 0, {evil}, evil, benchmarks});
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("'a()'")));
  EXPECT_EQ(CountOf(html, "</style>"), 1u);
}

TEST(PageHtml, EveryBenchmarkIsInTheTableAndHasASection) {
  const std::string html =
      PageHtml({"bench",
                "1 of 2 gates failed",
                0,
                {"CPUs 0 and 1"},
                "",
                {ShownWithRatio("a", 0.8), ShownWithRatio("b", 1.3), WithError("c")}});
  EXPECT_THAT(html, HasSubstr("1 of 2 gates failed"));
  EXPECT_THAT(html, HasSubstr("CPUs 0 and 1"));
  for (const char* id : {"b0", "b1", "b2"}) {
    EXPECT_EQ(CountOf(html, std::string("id=\"") + id + "\""), 1u);
    EXPECT_EQ(CountOf(html, std::string("href=\"#") + id + "\""), 1u);
  }
  // The largest ratio first, errors last.
  EXPECT_LT(html.find("#b1"), html.find("#b0"));
  EXPECT_LT(html.find("#b0"), html.find("#b2"));
  EXPECT_THAT(html, HasSubstr("new threw &lt;std::bad_alloc&gt;"));
  EXPECT_THAT(PageOf({}), HasSubstr("No duet was measured."));
}

TEST(ForestTable, VerdictsAndGatesAreWordsAndMarks) {
  Facts failing = ShownWithRatio("a", 1.3);
  failing.gate = GateStatus::kFail;
  failing.allowed_hi = 1.05;
  const std::string html =
      ForestTable({failing, ShownWithRatio("b", 0.5), ShownWithRatio("c", 1, 0.001),
                   ShownWithRatio("d", 1, 0.2)});
  for (const char* text : {"✗ FAIL", "▲ SLOWER", "▼ FASTER", "= EQUAL", "? INCONCLUSIVE"}) {
    EXPECT_EQ(CountOf(html, text), 1u) << text;
  }
  EXPECT_EQ(CountOf(html, "class=\"lim\""), 1u) << "the limit of the one gate";
}

// Too few calls.
Facts::Quantile WithoutInterval() {
  Facts::Quantile shown;
  shown.quantile = 0.999;
  shown.name = "p99.9";
  shown.gap = "too few calls, 8 of 9 needed";
  return shown;
}

TEST(QuantileTable, HasNumbersForEach) {
  const std::string html = QuantileTable(
      {ShownQuantileOf(0.5, "p50", 0.9), ShownQuantileOf(0.99, "p99", 1.2), WithoutInterval()});
  for (const char* text :
       {"<td>p50</td>", "0.9000 x [0.8910, 0.9090]", "1.200 x [1.188, 1.212]", "1.500 µs",
        "1.800 µs", "<td>p99.9</td>", "too few calls, 8 of 9 needed", "[99 %, all at once]"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  EXPECT_THAT(html, Not(HasSubstr("gate")));
}

// No coordinate may be inf or nan: the browser would leave out the whole path.
TEST(Pictures, HaveFiniteCoordinatesForEveryInterval) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [lo, hi] : {std::pair{0.0, inf}, {0.0, 1.0}, {1.0, 1.0}, {1e-9, 1e9}}) {
    Facts shown = ShownWithPairs("a", 1);
    shown.interval.lo = lo;
    shown.interval.hi = hi;
    shown.allowed_hi = inf;
    const std::string html = PageOf({shown});
    const std::regex bad("(d|x|y)=\"[^\"]*(inf|nan)");
    EXPECT_FALSE(std::regex_search(html, bad)) << lo << " " << hi;
  }
  // All pairs alike.
  Facts constant = ShownWithRatio("a", 1, 0);
  constant.run_log_ratios.assign(4, 0);
  constant.picture = PictureOfRun(0, std::vector<ShownPair>(9, {{5, 5}, false}), 4);
  EXPECT_FALSE(std::regex_search(PageOf({constant}), std::regex("(d|x|y)=\"[^\"]*(inf|nan)")));
}

TEST(Pictures, AreThereWhereTheirDataAre) {
  const Facts without = ShownWithRatio("a", 0.8);
  EXPECT_EQ(PairsOverTime(without), "");
  EXPECT_THAT(RunRatios(without), HasSubstr("The ratio of each of 10 runs"));
  const Facts with = ShownWithPairs("a", 0.8);
  EXPECT_THAT(PairsOverTime(with),
              HasSubstr("One in 4 of the 500 pairs of run 2: both variants over time, at the"));
  EXPECT_THAT(PairsOverTime(with), HasSubstr("30 pairs with a variant preempted"));
}

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
