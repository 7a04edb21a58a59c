#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/run_duet_stat.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Two benchmarks of three runs of 30 pairs; the third pair of each run is disturbed.
std::string ManyPairs() {
  std::string csv = "benchmark,run,block,iteration,old_ns,new_ns,flags,assignment\n";
  for (const char* name : {"a<b>", "c"}) {
    for (int run = 0; run < 3; ++run) {
      for (int i = 0; i < 30; ++i) {
        absl::StrAppend(&csv, name, ",", run, ",", i / 10, ",", i, ",", 100 + i % 7, ",",
                        210 + i % 5 + run, ",", i == 2 ? 1 : 0, ",", i / 10 % 2, "\n");
      }
    }
  }
  return csv;
}

TEST(HtmlText, ShowsThePairsOfFiles) {
  const Outcome outcome = RunDuetStat({"--format=html", "p.csv"}, {{"p.csv", ManyPairs()}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("<title>duetbench: p.csv</title>"));
  EXPECT_THAT(outcome.out, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(outcome.out, HasSubstr("The 30 pairs of run 2"));
  EXPECT_THAT(outcome.out, HasSubstr("1 pair with a variant preempted"));
  EXPECT_THAT(outcome.out, HasSubstr("▲ SLOWER</span> &#160; new takes"));
}

TEST(HtmlText, IsRefusedWhereThereAreNoPairsToShow) {
  const Outcome outcome =
      RunDuetStat({"--format=html", "--shuffle=all", "p.csv"}, {{"p.csv", ManyPairs()}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--format=html shows pairs"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("<html")));
}

TEST(SvgText, IsADocumentOfThePairs) {
  const Outcome outcome = RunDuetStat({"--format=svg", "p.csv"}, {{"p.csv", ManyPairs()}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(outcome.out, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(outcome.out, HasSubstr("class=\"o\""));
  EXPECT_THAT(outcome.out, EndsWith("</svg>\n"));
  EXPECT_EQ(RunDuetStat({"--format=svg", "p.csv"}, {{"p.csv", "run,x,y\n1,2,1\n2,2,1\n"}}).status,
            2);
}

TEST(DigestOfBenchmark, PutsDisturbedPairsWhereTheyWereMeasured) {
  BenchmarkPairs benchmark;
  benchmark.runs = {{{1, 2, 0}, {2, 4, 0}}};
  benchmark.origins.resize(1);
  benchmark.origins[0].disturbed = {{1, {9, 9, 0}, false}, {2, {8, 8, 0}, false}};
  const stats::PairDigest digest = DigestOfBenchmark(benchmark);
  ASSERT_EQ(digest.picture.shown.size(), 4u);
  EXPECT_EQ(digest.picture.shown[0].time[0], 1);
  EXPECT_EQ(digest.picture.shown[1].time[0], 9);
  EXPECT_TRUE(digest.picture.shown[1].disturbed);
  EXPECT_EQ(digest.picture.shown[2].time[0], 2);
  EXPECT_EQ(digest.picture.shown[3].time[0], 8);
}

}  // namespace
}  // namespace duetbench::duet_stat
