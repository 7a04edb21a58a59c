#include "duetbench/report/pairs_file.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Comparison OnePairInEachOfTwoRuns() {
  Comparison comparison;
  comparison.results.resize(2);
  PairRecord pair{};
  pair.ticks[0] = 100;
  pair.ticks[1] = 110;
  pair.operations[0] = pair.operations[1] = 4;
  pair.cpus[1] = 1;
  pair.iteration = 7;
  pair.block = 3;
  comparison.results[0].pairs.push_back(pair);
  pair.flags = kNewPreempted;
  pair.assignment = 1;
  comparison.results[1].pairs.push_back(pair);
  return comparison;
}

TEST(PairsFile, WritesEveryPairAndNumbersTheRunsOn) {
  const std::string path = testing::TempDir() + "/pairs_file_test.csv";
  PairsFile file;
  ASSERT_TRUE(file.Open(path).ok());
  ASSERT_TRUE(file.Append("BM_A,B/64", OnePairInEachOfTwoRuns(), 0.5).ok());
  ASSERT_TRUE(file.Append("BM_A,B/64", OnePairInEachOfTwoRuns(), 0.5).ok());
  ASSERT_TRUE(file.Append("other", OnePairInEachOfTwoRuns(), 0.5).ok());
  EXPECT_EQ(Contents(path),
            "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment\n"
            "\"BM_A,B/64\",0,3,7,50,55,0,1,4,0,0\n"
            "\"BM_A,B/64\",1,3,7,50,55,0,1,4,2,1\n"
            "\"BM_A,B/64\",2,3,7,50,55,0,1,4,0,0\n"
            "\"BM_A,B/64\",3,3,7,50,55,0,1,4,2,1\n"
            "other,0,3,7,50,55,0,1,4,0,0\n"
            "other,1,3,7,50,55,0,1,4,2,1\n");
  std::remove(path.c_str());
}

TEST(PairsFile, SaysWhyTheFileCannotBeWritten) {
  PairsFile file;
  const absl::Status status = file.Open("/no/such/folder/pairs.csv");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace duetbench
