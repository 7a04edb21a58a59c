#include "duetbench/report/pairs_file.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

Comparison OnePairInEachOfTwoRuns(bool cpu_time = false) {
  Comparison comparison;
  comparison.cpu_time = cpu_time;
  comparison.results.resize(2);
  PairRecord pair{};
  pair.ticks[0] = 100;
  pair.ticks[1] = 110;
  pair.iterations[0] = 4;
  pair.iterations[1] = 5;
  pair.cpu_ns[0] = 45.5;
  pair.cpu_ns[1] = 1e-7;
  pair.cpus[1] = 1;
  pair.pair_index = 7;
  pair.block = 3;
  comparison.results[0].pairs.push_back(pair);
  pair.flags = kNewPreempted;
  pair.assignment = 1;
  comparison.results[1].pairs.push_back(pair);
  comparison.results[1].pairs[0].probe_ticks[0] = 3000;
  comparison.results[1].pairs[0].probe_ticks[1] = 3200;
  comparison.results[1].layout = 3;
  comparison.results[1].start_s = 12.5;
  comparison.results[1].pause_share[0] = 0.25;
  return comparison;
}

TEST(PairsFile, WritesEveryPairAndNumbersTheRunsOn) {
  const TemporaryFolder folder;
  const std::string path = folder.File("pairs.csv");
  PairsFile file;
  ASSERT_TRUE(file.Open(path).ok());
  file.Append("BM_A,B/64", OnePairInEachOfTwoRuns(), 0.5);
  file.Append("BM_A,B/64", OnePairInEachOfTwoRuns(true), 0.5);
  file.Append("other", OnePairInEachOfTwoRuns(), 0.5);
  EXPECT_EQ(TextOf(path), "") << "it is there whole, or not at all";
  ASSERT_TRUE(file.Commit().ok());
  EXPECT_EQ(TextOf(path),
            "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment,"
            "new_ops,old_cpu_ns,new_cpu_ns,clock,layout,start_s,"
            "old_probe_ns,new_probe_ns,old_pause_share,new_pause_share,position_error,taper\n"
            "\"BM_A,B/64\",0,3,7,50,55,0,1,4,0,0,5,45.5,1e-07,real,0,-1,0,0,0,0,0,0\n"
            "\"BM_A,B/64\",1,3,7,50,55,0,1,4,2,1,5,45.5,1e-07,real,3,12.5,1500,1600,0.25,0,0,0\n"
            "\"BM_A,B/64\",2,3,7,50,55,0,1,4,0,0,5,45.5,1e-07,cpu,0,-1,0,0,0,0,0,0\n"
            "\"BM_A,B/64\",3,3,7,50,55,0,1,4,2,1,5,45.5,1e-07,cpu,3,12.5,1500,1600,0.25,0,0,0\n"
            "other,0,3,7,50,55,0,1,4,0,0,5,45.5,1e-07,real,0,-1,0,0,0,0,0,0\n"
            "other,1,3,7,50,55,0,1,4,2,1,5,45.5,1e-07,real,3,12.5,1500,1600,0.25,0,0,0\n");
}

TEST(AppendCsvCell, QuotesWhatNeedsIt) {
  const auto cell = [](const std::string& text) {
    std::string out;
    AppendCsvCell(text, &out);
    return out;
  };
  EXPECT_EQ(cell("plain/8"), "plain/8");
  EXPECT_EQ(cell(""), "");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(cell(" a"), "\" a\"");
}

TEST(PairsFile, SaysWhyTheFileCannotBeWritten) {
  PairsFile file;
  const absl::Status status = file.Open("/no/such/folder/pairs.csv");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace duetbench
