#include "duetbench/platform/derived.h"

#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::map<std::string, double> Derive(const std::vector<EventRate>& rates, double bytes = 0) {
  std::map<std::string, double> columns;
  for (const DerivedColumn& column : DeriveColumns(rates, bytes)) {
    columns[column.name] = column.value;
  }
  return columns;
}

TEST(DeriveColumns, AllOfThem) {
  EXPECT_THAT(Derive({{"INSTRUCTIONS", EventRole::kInstructions, 4000},
                      {"CYCLES", EventRole::kCycles, 1000},
                      {"BRANCHES", EventRole::kBranches, 500},
                      {"BRANCH-MISSES", EventRole::kBranchMisses, 5},
                      {"L1-DCACHE-LOAD-MISSES", EventRole::kMisses, 20}},
                     250),
              ElementsAre(Pair("BRANCH-MISS-RATE", 0.01), Pair("BRANCH-MISSES-MPKI", 1.25),
                          Pair("CYCLES-PER-BYTE", 4), Pair("IPC", 4),
                          Pair("L1-DCACHE-LOAD-MISSES-MPKI", 5)));
}

TEST(DeriveColumns, OnlyWhatHasItsInputs) {
  EXPECT_THAT(Derive({{"INSTRUCTIONS", EventRole::kInstructions, 4000}}), IsEmpty());
  EXPECT_THAT(Derive({{"CYCLES", EventRole::kCycles, 1000}}), IsEmpty());
  EXPECT_THAT(Derive({{"CYCLES", EventRole::kCycles, 1000}}, 10),
              ElementsAre(Pair("CYCLES-PER-BYTE", 100)));
  EXPECT_THAT(Derive({}, 10), IsEmpty());
}

TEST(DeriveColumns, NeverDivideByZero) {
  EXPECT_THAT(Derive({{"INSTRUCTIONS", EventRole::kInstructions, 0},
                      {"CYCLES", EventRole::kCycles, 0},
                      {"BRANCHES", EventRole::kBranches, 0},
                      {"BRANCH-MISSES", EventRole::kBranchMisses, 5}}),
              IsEmpty());
}

}  // namespace
}  // namespace duetbench
