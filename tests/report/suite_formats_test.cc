#include "duetbench/report/suite_formats.h"

#include "gtest/gtest.h"
#include "tests/golden_text.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

std::string JunitOf(const std::vector<SuiteEntry>& suite,
                    WhenInconclusive when = WhenInconclusive::kPass) {
  return SuiteJunit(FactsOf(suite), when);
}

TEST(SuiteJunit, HasEachKindOfEnd) {
  SuiteEntry broken = Broken("broken");
  broken.comparison = FailedIn(1, 2, "threw <no> \"file\"");
  ExpectGoldenText("junit.txt", JunitOf({Failing("a<b>"), broken, Ungated("free"),
                                         Unchanged("same"), Explained("explained")}) +
                                    JunitOf({Undecided("a")}, WhenInconclusive::kPass) +
                                    JunitOf({Undecided("a")}, WhenInconclusive::kSkip) +
                                    JunitOf({Undecided("a")}, WhenInconclusive::kFail) +
                                    JunitOf({}));
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

TEST(SuiteMarkdown, IsATableWithAndWithoutGates) {
  SuiteEntry last = Explained("a_vs_c");  // of a group
  last.comparison.gates.clear();
  last.comparison.ranking.emplace().fastest = "c";
  ExpectGoldenText("markdown.txt",
                   SuiteMarkdown(FactsOf({Ungated("free"), Passing("operator|"), Failing("bad"),
                                          Broken("broken"), Explained("explained")})) +
                       SuiteMarkdown(FactsOf({last})));
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
