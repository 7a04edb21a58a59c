#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/run_duet_stat.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DuetFacts Slower(const std::string& name, double gate_p) {
  DuetFacts duet;
  duet.name = name;
  duet.verdict = stats::Verdict::kSlower;
  duet.numbers = {{"ratio", 1.1}, {"ratio_lo", 1.08}, {"ratio_hi", 1.12}, {"ratio_level", 0.99},
                  {"runs", 10},   {"gate", -1},       {"gate_p", gate_p}, {"gate_hi", 1.05}};
  return duet;
}

NamedReport Named(const std::string& name, std::vector<DuetFacts> duets) {
  return {name,
          {{{"duet_margin", "0.02"}, {"executable", "./a b"}, {"duet_warning_1", "<busy>"}},
           std::move(duets)}};
}

TEST(ReportPageHtml, ShowsGatesVerdictsAndTheCommand) {
  DuetFacts with_counter = Slower("BM<A>", 1e-9);
  with_counter.numbers.insert({{"perf.bytes.old", 7},
                               {"perf.bytes.new", 8},
                               {"perf.bytes.ratio", 1.14},
                               {"perf.bytes.ratio_lo", 1.1},
                               {"perf.bytes.ratio_hi", 1.2}});
  const std::string html = ReportPageHtml({Named("r.json", {with_counter})});
  for (const char* text : {"<title>duetbench: r.json</title>", "BM&lt;A&gt;", "▲ SLOWER", "✗ FAIL",
                           "limit 1.05 ×", "EQUAL within 2 %", "warning: &lt;busy&gt;",
                           "1 gate failed", "1.140 x [1.100, 1.200]", "--benchmark_filter="}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
}

TEST(ReportPageHtml, ShowsQuantilesWithTheirGates) {
  DuetFacts duet = Slower("a", 1e-9);
  duet.numbers.insert({{"calls", 6000},
                       {"ratio_p99", 1.2},
                       {"ratio_p99_lo", 1.1},
                       {"ratio_p99_hi", 1.3},
                       {"ratio_typical", 1},
                       {"gate.p99", 1},
                       {"gate.pages", 1},
                       {"gate.p99.9", 0},
                       {"ratio_p9", 0}});
  const std::string html = ReportPageHtml({Named("r.json", {duet})});
  for (const char* text : {"<table class=\"q\"", "1.200 x [1.100, 1.300]", "✓ PASS",
                           "<td>p99.9</td><td></td><td>no interval: too few calls or runs</td>",
                           "? INCONCLUSIVE", "<td>p9</td><td></td><td>no interval"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
}

// By Holm's correction over the gates of a report: 0.008 alone is proof at 99 %, one of two is not.
TEST(ReportPageHtml, CorrectsForTheNumberOfGates) {
  EXPECT_THAT(ReportPageHtml({Named("r", {Slower("a", 0.008)})}), HasSubstr("✗ FAIL"));
  const std::string two = ReportPageHtml({Named("r", {Slower("a", 0.008), Slower("b", 0.009)})});
  EXPECT_THAT(two, Not(HasSubstr("✗ FAIL")));
  EXPECT_THAT(two, HasSubstr("? UNPROVEN"));
  const std::string apart =
      ReportPageHtml({Named("r", {Slower("a", 0.008)}), Named("s", {Slower("b", 0.009)})});
  EXPECT_THAT(apart, HasSubstr("✗ FAIL"));
}

TEST(ReportPageHtml, ShowsWhichVariantIsTheFastest) {
  NamedReport named = Named("r", {Slower("a_vs_c", 0.5)});
  named.report.rankings = {{"a_vs_c", "fastest: <c>"}};
  EXPECT_THAT(ReportPageHtml({named}), HasSubstr("fastest: &lt;c&gt;"));
}

TEST(ReportPageHtml, IsWhatHtmlMakesOfJson) {
  const std::string json = R"({"context": {}, "benchmarks": [{"name": "A", "run_name": "A",
      "run_type": "iteration", "ratio": 2, "ratio_lo": 1.9, "ratio_hi": 2.1, "ratio_level": 0.99,
      "label": "SLOWER"}]})";
  const Outcome html = RunDuetStat({"--format=html", "r.json"}, {{"r.json", json}});
  EXPECT_EQ(html.status, 0) << html.err;
  EXPECT_THAT(html.out, HasSubstr("▲ SLOWER"));
  const Outcome console = RunDuetStat({"r.json"}, {{"r.json", json}});
  EXPECT_EQ(console.status, 2);
  EXPECT_THAT(console.err, HasSubstr("--format=html makes a page of it"));
  const Outcome mixed = RunDuetStat({"--format=html", "r.json", "p.csv"},
                                    {{"r.json", json}, {"p.csv", "run,x,y\n1,2,1\n"}});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.err, HasSubstr("of two kinds"));
}

}  // namespace
}  // namespace duetbench::duet_stat
