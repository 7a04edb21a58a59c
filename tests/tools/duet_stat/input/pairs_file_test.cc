#include "tools/duet_stat/input/pairs_file.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/pairs_of.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

MATCHER_P3(IsPair, old_time, new_time, assignment, "") {
  return arg.old_time == old_time && arg.new_time == new_time && arg.assignment == assignment;
}

TEST(PairsFile, ReadsPlainRatios) {
  const PairsData data = ReadTexts({"run,iter,x,y\n0,0,110,100\n7,0,1e3,2\n"}).value();
  ASSERT_THAT(data.benchmarks, SizeIs(1));
  EXPECT_EQ(data.benchmarks[0].name, "x/y");
  EXPECT_TRUE(data.benchmarks[0].is_x_over_y);
  EXPECT_FALSE(data.benchmarks[0].interleaved);
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(100, 110, 0)), ElementsAre(IsPair(2, 1000, 0))));
  EXPECT_EQ(data.benchmarks[0].origins[1].number, 7);
}

TEST(PairsFile, FindsColumnsByName) {
  const PairsData data = ReadTexts({" y ,comment, x,run,assignment,,\r\n"
                                    "100,\"so, so\",110,3,1,,\r\n"})
                             .value();
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(ElementsAre(IsPair(100, 110, 1))));
}

TEST(PairsFile, TheAssignmentColumnGoesBeforeTheCpus) {
  const PairsData data = ReadTexts({"benchmark,run,old_ns,new_ns,old_cpu,new_cpu,flags,assignment\n"
                                    "a,0,1,2,5,4,0,0\na,0,1,2,4,5,0,1\na,0,1,2,4,4,0,1\n"})
                             .value();
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(1, 2, 0), IsPair(1, 2, 1), IsPair(1, 2, 1))));
  EXPECT_FALSE(data.benchmarks[0].interleaved);
}

TEST(PairsFile, FilesAreMoreRunsOfTheSameBenchmarks) {
  const PairsData data = ReadTexts({"benchmark,run,x,y\na,0,1,1\nb,0,2,1\na,0,3,1\n",
                                    "benchmark,run,x,y\nb,0,4,1\na,0,5,1\nc,0,6,1\n"})
                             .value();
  ASSERT_THAT(data.benchmarks, SizeIs(3));
  EXPECT_THAT(data.files, ElementsAre("a.csv", "b.csv"));
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(SizeIs(2), SizeIs(1)));
  EXPECT_THAT(data.benchmarks[1].runs, ElementsAre(SizeIs(1), SizeIs(1)));
  EXPECT_EQ(data.benchmarks[2].name, "c");
  EXPECT_EQ(data.benchmarks[0].origins[1].file, 1u);
  EXPECT_EQ(data.benchmarks[0].origins[1].line, 3);
}

TEST(PairsFile, RunsNeedNotBeAdjacent) {
  const PairsData data =
      ReadTexts({"run,iter,x,y\n0,0,1,1\n1,0,2,1\n0,1,3,1\n1,1,4,1\n2,0,5,1\n"}).value();
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(1, 1, 0), IsPair(1, 3, 0)),
                          ElementsAre(IsPair(1, 2, 0), IsPair(1, 4, 0)), SizeIs(1)));
  EXPECT_THAT(data.notices, IsEmpty());
}

TEST(PairsFile, MachinesAreMarkedByAColumn) {
  const std::string first = "machine,run,x,y\nalpha,0,1,1\nbeta,0,2,1\nalpha,1,3,1\n";
  const std::string second = "run,x,y\n0,4,1\n";
  const PairsData data = ReadTexts({first, second}).value();
  ASSERT_THAT(data.benchmarks[0].origins, SizeIs(4));
  EXPECT_EQ(data.benchmarks[0].origins[0].machine, 0);
  EXPECT_EQ(data.benchmarks[0].origins[1].machine, 1);  // the same run number, another run
  EXPECT_EQ(data.benchmarks[0].origins[2].machine, 0);
  EXPECT_EQ(data.benchmarks[0].origins[3].machine, 2);
}

TEST(PairsFile, ABlankLineIsNoRecordAndACutOneIsSaid) {
  const PairsData data = ReadTexts({"run,x,y\r\n0,1,1\r\n\r\n0,\"2\",1"}).value();
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(SizeIs(2)));
  EXPECT_THAT(data.notices,
              ElementsAre("a.csv: the file ends within its last line: is it cut off?"));
}

TEST(PairsFile, ACellInQuotesMayHaveCommasAndLines) {
  const PairsData data = ReadTexts({"\xEF\xBB\xBF"
                                    "benchmark,run,x,y\n\"a, \"\"b\"\"\nc\",0,1,1\nd,0,z,1\n"})
                             .value_or(PairsData());
  EXPECT_THAT(data.benchmarks, IsEmpty()) << "line 4 is wrong";
  const PairsData good = ReadTexts({"\xEF\xBB\xBF"
                                    "benchmark,run,x,y\n\"a, \"\"b\"\"\nc\",0,1,1\n"})
                             .value();
  EXPECT_EQ(good.benchmarks[0].name, "a, \"b\"\nc");
}

TEST(PairsFile, ACopyOfARunIsNoFurtherRun) {
  const std::string header = "run,x,y\n";
  const std::string run = "7,1,1\n7,2,1\n7,3,1\n7,4,1\n";
  EXPECT_EQ(ReadTexts({header + run, header + run}).status().message(),
            "b.csv:2: run 7 of 'x/y' has the times of run 7 of a.csv:2: a copy of a run is no "
            "further run; leave one of the files out");
  EXPECT_TRUE(ReadTexts({header + run, header + run + "7,5,1\n"}).ok());
  const std::string coarse = "7,1,1\n7,1,1\n7,1,1\n7,1,1\n";
  EXPECT_TRUE(ReadTexts({header + coarse, header + coarse}).ok()) << "a coarse clock";
}

TEST(PairsFile, RefusesBadFilesWithFileAndLine) {
  const std::pair<const char*, const char*> kBad[] = {
      {"run,x,y\n", "a.csv:2: no pairs behind the header"},
      {"run,x\n0,1\n", "a.csv:1: no column 'y'; a file of pairs has"},
      {"0,0,110,100\n0,1,111,100\n", "a.csv:1: the column '0' is there twice"},
      {"run;x;y\n0;1;1\n", "a.csv:1: no column 'run', 'x', 'y'"},
      {"benchmark,run,old_ns\na,0,1\n", "a.csv:1: no column 'new_ns', 'flags'"},
      {"run,x,y,y\n0,1,1,1\n", "a.csv:1: the column 'y' is there twice"},
      {"run,x,y\n0,1,1\n0,1\n", "a.csv:3: 2 cells, but the header has 3: is the line cut off?"},
      {"run,x,y\n0,1,1,1\n", "a.csv:2: 4 cells, but the header has 3: a cell with a comma must"},
      {"run,x,y\n0,1,-5\n", "a.csv:2: y is '-5': it should be a number from 0 to "},
      {"run,x,y\n0,nan,1\n", "a.csv:2: x is 'nan': it should be a number"},
      {"run,x,y\n0,,1\n", "a.csv:2: x is '': it should be a number"},
      {"run,x,y\n1.5,1,1\n", "a.csv:2: run is '1.5': it should be a whole number"},
      {"run,x,y,assignment\n0,1,1,2\n",
       "a.csv:2: assignment is '2': it should be a whole number "
       "from 0 to 1"},
      {"run,x,y,layout\n0,1,1,2\n0,3,1,1\n", "a.csv:3: a second layout within the run"},
      {"run,x,y\n0,1,1\nrun,x,y\n0,1,1\n", "a.csv:3: the header once more"},
      {"run,x,y\n0,\"1,1\n", "a.csv:2: a quote that is opened here is not closed"},
      {"benchmark,run,old_ns,new_ns,flags\na,0,1,x,1\n", "a.csv:2: new_ns is 'x'"},
      {"run,x,y,start_s\n0,1,1,inf\n", "a.csv:2: start_s is 'inf'"},
  };
  for (const auto& [text, error] : kBad) {
    EXPECT_THAT(std::string(ReadTexts({text}).status().message()), StartsWith(error)) << text;
  }
  EXPECT_THAT(std::string(ReadTexts({std::string(1000000, '\0')}).status().message()),
              StartsWith("a.csv:1: the line is too long"));
}

}  // namespace
}  // namespace duetbench::duet_stat
