#include "duetbench/report/suite_junit.h"

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

}  // namespace
}  // namespace duetbench
