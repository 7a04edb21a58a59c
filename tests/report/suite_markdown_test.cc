#include "duetbench/report/suite_markdown.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

TEST(SuiteMarkdown, Golden) {
  SuiteEntry pipe = Passing("operator|");
  const std::vector<SuiteEntry> suite = {Ungated("free"), pipe, Failing("bad"), Broken("broken")};
  EXPECT_EQ(
      SuiteMarkdown(suite, GateStatuses(suite), "bench", SeparateCores()),
      "### duetbench `bench`: 1 of 2 gates failed, 1 duet could not be measured\n"
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
  EXPECT_THAT(SuiteMarkdown(suite, GateStatuses(suite), "bench", SeparateCores()),
              HasSubstr("### duetbench `bench`\n"));
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
