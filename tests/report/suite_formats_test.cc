#include "duetbench/report/suite_formats.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

std::string JunitOf(const std::vector<SuiteEntry>& suite,
                    WhenInconclusive when = WhenInconclusive::kPass) {
  return SuiteJunit(FactsOf(suite), when);
}

TEST(SuiteJunit, Golden) {
  SuiteEntry failing = Failing("a<b>");
  failing.comparison.estimate()->skew_ns = 0;
  SuiteEntry broken = Broken("broken");
  broken.comparison = FailedIn(1, 2, "threw <no> \"file\"");
  EXPECT_EQ(JunitOf({failing, broken, Ungated("free"), Unchanged("same")}),
            R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="duetbench" tests="4" failures="1" errors="1" skipped="0" time="0.500">
  <testsuite name="bench" tests="4" failures="1" errors="1" skipped="0" time="0.500">
    <testcase classname="bench" name="a&lt;b&gt;" file="bench/parse.cc" line="12" time="0.250">
      <properties>
        <property name="verdict" value="SLOWER"/>
        <property name="gate" value="FAIL"/>
        <property name="gate_hi" value="1.05"/>
        <property name="gate_looks" value="1"/>
        <property name="gate_p" value="1e-06"/>
        <property name="gate_seconds" value="0.25"/>
        <property name="pairs" value="18213"/>
        <property name="pairs_dropped" value="12"/>
        <property name="ratio" value="1.07"/>
        <property name="ratio_hi" value="1.08"/>
        <property name="ratio_level" value="0.99"/>
        <property name="ratio_lo" value="1.06"/>
        <property name="runs" value="8"/>
        <property name="schedule" value="0"/>
        <property name="skew_ns" value="0"/>
      </properties>
      <failure message="FAIL a&lt;b&gt;: new takes 1.070 × the time of old (99 % interval 1.060 to 1.080 ×), all above the limit of 1.05 ×. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores)." type="FAIL">FAIL a&lt;b&gt;: new takes 1.070 × the time of old (99 % interval 1.060 to 1.080 ×), all above the limit of 1.05 ×. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).&#10;alone: ./bench &apos;--benchmark_filter=^a&lt;b&gt;$&apos; --duet_seed=7</failure>
    </testcase>
    <testcase classname="bench" name="broken" time="0.000">
      <error message="ERROR broken: new threw &lt;no&gt; &quot;file&quot; (in run 3)" type="ERROR">ERROR broken: new threw &lt;no&gt; &quot;file&quot; (in run 3)</error>
    </testcase>
    <testcase classname="bench" name="free" file="bench/parse.cc" line="12" time="0.250">
      <properties>
        <property name="verdict" value="INCONCLUSIVE"/>
        <property name="pairs" value="18213"/>
        <property name="pairs_dropped" value="12"/>
        <property name="ratio" value="1"/>
        <property name="ratio_hi" value="1.01"/>
        <property name="ratio_level" value="0.99"/>
        <property name="ratio_lo" value="0.99"/>
        <property name="runs" value="8"/>
        <property name="schedule" value="0"/>
        <property name="skew_ns" value="8.5"/>
      </properties>
      <system-out>INCONCLUSIVE: new takes 0.990 to 1.010 × the time of old; about 1 s would decide</system-out>
    </testcase>
    <testcase classname="bench" name="same" time="0.000">
      <properties>
        <property name="verdict" value="UNCHANGED"/>
      </properties>
      <system-out>same: UNCHANGED: the same program; files that it reads are not compared</system-out>
    </testcase>
  </testsuite>
</testsuites>
)xml");
}

// The counts, and how the only test case ends.
std::string CountsAndEnd(const std::string& xml) {
  const size_t counts = xml.find("failures=");
  const size_t end = xml.find("</properties>") + 20;
  return xml.substr(counts, xml.find(" time=") - counts) + "\n" +
         xml.substr(end, xml.find("    </testcase>") - end);
}

TEST(SuiteJunit, TheInconclusiveAsTheyAreToBeTaken) {
  const std::vector<SuiteEntry> suite = {Undecided("a")};
  EXPECT_EQ(CountsAndEnd(JunitOf(suite, WhenInconclusive::kPass)),
            R"(failures="0" errors="0" skipped="0"
<system-out>INCONCLUSIVE a: new takes 1.050 × the time of old (99 % interval 1.040 to 1.060 ×), on both sides of the limit of 1.05 ×; more than a day would decide. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).</system-out>
)");
  EXPECT_EQ(CountsAndEnd(JunitOf(suite, WhenInconclusive::kSkip)),
            R"(failures="0" errors="0" skipped="1"
<skipped message="INCONCLUSIVE a: new takes 1.050 × the time of old (99 % interval 1.040 to 1.060 ×), on both sides of the limit of 1.05 ×; more than a day would decide. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores)."/>
)");
  EXPECT_EQ(CountsAndEnd(JunitOf(suite, WhenInconclusive::kFail)),
            R"(failures="1" errors="0" skipped="0"
<failure message="INCONCLUSIVE a: new takes 1.050 × the time of old (99 % interval 1.040 to 1.060 ×), on both sides of the limit of 1.05 ×; more than a day would decide. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores)." type="INCONCLUSIVE">INCONCLUSIVE a: new takes 1.050 × the time of old (99 % interval 1.040 to 1.060 ×), on both sides of the limit of 1.05 ×; more than a day would decide. 8 runs, 18,213 pairs, 12 dropped; CPUs 0,1 (separate cores).&#10;alone: ./bench &apos;--benchmark_filter=^a$&apos; --duet_seed=7</failure>
)");
}

TEST(SuiteJunit, OfNothingHasNoCases) {
  EXPECT_EQ(JunitOf({}), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="duetbench" tests="0" failures="0" errors="0" skipped="0" time="0.000">
  <testsuite name="bench" tests="0" failures="0" errors="0" skipped="0" time="0.000">
  </testsuite>
</testsuites>
)");
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
      SuiteMarkdown(FactsOf(suite)),
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
  SuiteEntry last = Explained("a_vs_c");  // of a group
  last.comparison.estimate()->gates.clear();
  last.comparison.ranking.emplace().fastest = "c";
  EXPECT_EQ(
      SuiteMarkdown(FactsOf({last})),
      "### duetbench `bench`\n"
      "\n"
      "| gate | benchmark | new/old | interval | verdict | measured |\n"
      "|---|---|---|---|---|---|\n"
      "| - | `a_vs_c` | 1.070 x | [1.060, 1.080] | SLOWER: new takes 1.070 × the time of old; "
      "fastest: c | 8 runs, 0.2 s |\n"
      "\n"
      "CPUs 0 and 1 (separate cores); intervals of the time of new divided by the time of old.\n"
      "\n"
      "`a_vs_c`:\n"
      "\n"
      "- +6.0 of +7.0 % in operator new&#60;x&#62;, called from Trim (maps.cc:12)\n"
      "\n");
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
