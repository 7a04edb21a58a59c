#include "duetbench/report/suite_formats.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string JunitOf(const std::vector<SuiteEntry>& suite,
                    WhenInconclusive when = WhenInconclusive::kPass) {
  return SuiteJunit(suite, GateStatuses(suite), when, "bench", SeparateCores());
}

TEST(SuiteJunit, Golden) {
  SuiteEntry failing = Failing("a<b>");
  failing.comparison.estimate()->skew_p50_ns = 0;
  const std::string xml = JunitOf({failing, Broken("broken")});
  EXPECT_THAT(
      xml,
      HasSubstr(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites name=\"duetbench\" tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\" "
          "time=\"0.250\">\n"
          "  <testsuite name=\"bench\" tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\" "
          "time=\"0.250\">\n"
          "    <testcase classname=\"bench\" name=\"a&lt;b&gt;\" file=\"bench/parse.cc\" "
          "line=\"12\" time=\"0.250\">\n"
          "      <properties>\n"
          "        <property name=\"verdict\" value=\"SLOWER\"/>\n"
          "        <property name=\"gate\" value=\"FAIL\"/>\n"));
  EXPECT_THAT(xml, HasSubstr("        <property name=\"ratio\" value=\"1.07\"/>\n"));
  const size_t gate = xml.find("<property name=\"gate\"");
  EXPECT_EQ(xml.find("<property name=\"gate\"", gate + 1), std::string::npos);
  EXPECT_THAT(
      xml, HasSubstr("      </properties>\n"
                     "      <failure message=\"FAIL a&lt;b&gt;: new takes 1.070 × the time of old "
                     "(99 % interval 1.060 to 1.080 ×), all above the limit of 1.05 ×. 8 runs, "
                     "18,213 pairs, 12 dropped; "
                     "CPUs 0,1 (separate cores).\" type=\"FAIL\">"));
  EXPECT_THAT(xml, HasSubstr("&#10;alone: ./bench &apos;--benchmark_filter=^a&lt;b&gt;$&apos; "
                             "--duet_seed=7</failure>\n"
                             "    </testcase>\n"
                             "    <testcase classname=\"bench\" name=\"broken\" time=\"0.000\">\n"
                             "      <error message=\"ERROR broken: new threw std::runtime_error: "
                             "&lt;no&gt; &quot;file&quot; (in run 3)\" type=\"ERROR\">"));
  EXPECT_THAT(xml, HasSubstr("    </testcase>\n  </testsuite>\n</testsuites>\n"));
}

TEST(SuiteJunit, TheInconclusiveAsTheyAreToBeTaken) {
  EXPECT_THAT(JunitOf({Undecided("a")}), HasSubstr("failures=\"0\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(JunitOf({Undecided("a")}), HasSubstr("<system-out>INCONCLUSIVE a: "));
  EXPECT_THAT(JunitOf({Undecided("a")}, WhenInconclusive::kSkip),
              HasSubstr("<skipped message=\"INCON"));
  EXPECT_THAT(JunitOf({Undecided("a")}, WhenInconclusive::kSkip), HasSubstr("skipped=\"1\""));
  EXPECT_THAT(JunitOf({Undecided("a")}, WhenInconclusive::kFail),
              HasSubstr("type=\"INCONCLUSIVE\">"));
  EXPECT_THAT(JunitOf({Undecided("a")}, WhenInconclusive::kFail), HasSubstr("failures=\"1\""));
}

TEST(SuiteJunit, WithoutAGateTheVerdictIsTheOutput) {
  const std::string xml = JunitOf({Ungated("a")});
  EXPECT_THAT(xml, HasSubstr("<system-out>INCONCLUSIVE: new takes 0.990 to 1.010 ×"));
  EXPECT_THAT(xml, Not(HasSubstr("name=\"gate\"")));
  EXPECT_THAT(JunitOf({}), HasSubstr("tests=\"0\""));
}

TEST(XmlEscaped, KeepsWhatXmlCanHold) {
  EXPECT_EQ(XmlEscaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&apos;");
  EXPECT_EQ(XmlEscaped("a\nb"), "a&#10;b");
  EXPECT_EQ(XmlEscaped("\n"), "&#10;");
  EXPECT_EQ(XmlEscaped("é …"), "é …");
  EXPECT_EQ(XmlEscaped(std::string("a\x01\x1b\0b", 5)), "a   b");
  EXPECT_EQ(XmlEscaped("\xff"), "\xEF\xBF\xBD") << "no UTF-8";
  EXPECT_EQ(XmlEscaped("\xEF\xBF\xBF"), "\xEF\xBF\xBD") << "no character";
  EXPECT_EQ(XmlEscaped(""), "");
}

TEST(SuiteMarkdown, Golden) {
  SuiteEntry pipe = Passing("operator|");
  const std::vector<SuiteEntry> suite = {Ungated("free"), pipe, Failing("bad"), Broken("broken")};
  EXPECT_EQ(
      SuiteMarkdown(suite, GateStatuses(suite), SummarizeSuite(suite, GateStatuses(suite)), "bench",
                    SeparateCores()),
      "### duetbench `bench`: 1 of 2 gates failed, 1 duet could not be measured\n"
      "\n"
      "4 duets: 1 slower, 0 faster, 0 equal, 1 open, 1 measured only until a gate was decided, 1 "
      "not measured; "
      "geometric mean of the 3 ratios 1.02 ×\n"
      "\n"
      "- slower: bad: 1.070 × (1.060 to 1.080 ×)\n"
      "- open: free: 0.990 to 1.010 ×; about 1 s would decide\n"
      "\n"
      "apart from the slower one, nothing got slower by more than 1 % (99 % for all 2 ratios "
      "together)\n"
      "\n"
      "at most 0.01 of the slower and faster ones are expected to be false\n"
      "\n"
      "| gate | benchmark | new/old | interval | verdict | measured |\n"
      "|---|---|---|---|---|---|\n"
      "| **ERROR** | `broken` | | | new threw std::runtime&#95;error: &#60;no&#62; "
      "&#34;file&#34; (in run 3) | |\n"
      "| **FAIL** (limit 1.05 ×) | `bad` | 1.070 x | [1.060, 1.080] | 1.060 to 1.080 ×, all "
      "above the limit | 8 runs, 0.2 s |\n"
      "| PASS (limit 1.05 ×) | <code>operator&#124;</code> | 1.000 x | [0.990, 1.010] | "
      "0.990 to 1.010 ×, all below the limit | 8 runs, 0.2 s |\n"
      "| - | `free` | 1.000 x | [0.990, 1.010] | INCONCLUSIVE: new takes 0.990 to 1.010 × "
      "the time of old; about 1 s would decide | 8 runs, 0.2 s |\n"
      "\n"
      "CPUs 0 and 1 (separate cores); intervals of the time of new divided by the time of "
      "old.\n"
      "\n"
      "ERROR broken: new threw std::runtime&#95;error: &#60;no&#62; &#34;file&#34; (in run "
      "3)\n"
      "\n"
      "FAIL bad: new takes 1.070 × the time of old (99 % interval 1.060 to 1.080 ×), all "
      "above the limit of 1.05 ×. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).\n"
      "\n"
      "    ./bench '--benchmark_filter=^bad$' --duet_seed=7\n"
      "\n");
}

TEST(SuiteMarkdown, WithoutGatesItIsATable) {
  const std::vector<SuiteEntry> suite = {Ungated("free")};
  EXPECT_THAT(SuiteMarkdown(suite, GateStatuses(suite), SummarizeSuite(suite, GateStatuses(suite)),
                            "bench", SeparateCores()),
              HasSubstr("### duetbench `bench`\n"));
}

TEST(SuiteMarkdown, TheLastRowOfAGroupHasItsRanking) {
  SuiteEntry last = Ungated("a_vs_c");
  last.comparison.ranking.emplace().fastest = "c";
  EXPECT_THAT(SuiteMarkdown({last}, {GateStatus::kNoGate}, SuiteSummary(), "b", SeparateCores()),
              HasSubstr("; fastest: c |"));
}

TEST(MarkdownCode, HoldsWhatever) {
  EXPECT_EQ(MarkdownCode("f<int, T*>"), "`f<int, T*>`");
  EXPECT_EQ(MarkdownCode("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(MarkdownCode("a`b*c"), "<code>a&#96;b&#42;c</code>");
  EXPECT_EQ(MarkdownCode("<b>|"), "<code>&#60;b&#62;&#124;</code>");
  EXPECT_EQ(MarkdownCode("a\nb"), "`a b`") << "a line break would end the table";
}

}  // namespace
}  // namespace duetbench
