#include "duetbench/google_benchmark/filter_hint.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

std::string Hint(const std::string& filter) {
  DuetSpec spec;
  spec.name = "BM_A_vs_BM_B";
  spec.arguments = {{8}, {64}};
  return HintForRowName(filter, {&spec});
}

TEST(HintForRowName, NamesTheDuetOfTheRow) {
  const char* const hint =
      "; a duet is selected as a whole: --benchmark_filter='^BM_A_vs_BM_B/64$'";
  EXPECT_EQ(Hint("BM_A_vs_BM_B/64/new"), hint);
  EXPECT_EQ(Hint("^BM_A_vs_BM_B/64/old$"), hint);
}

TEST(HintForRowName, SuggestsNothingThatSelectsNothing) {
  EXPECT_EQ(Hint("BM_A_vs_BM_B/63/new"), "");
  EXPECT_EQ(Hint("BM_A_vs_BM_B/64"), "");
  EXPECT_EQ(Hint("(/new"), "");
  EXPECT_EQ(Hint(""), "");
}

}  // namespace
}  // namespace duetbench
