#include "duetbench/runner/explained_code.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// All of the difference is in `function`, at the same place of one file in old and new.
Explanation OfFunction(const std::string& function, uint64_t size) {
  Explanation explanation;
  explanation.time_ns[0] = 100;
  explanation.time_ns[1] = 150;
  DifferencePart& part = explanation.parts.emplace_back();
  part.function = function;
  static_cast<TimeDifference&>(part) = {{100, 150}, 50, 40, 60};
  for (FunctionCode& code : part.code) {
    code.name = function;
    code.file = "/no/such/program";
    code.begin = 100;
    code.size = size;
  }
  return explanation;
}

TEST(ExplainedCode, AFunctionWithoutASymbolHasNoListing) {
  Explanation explanation = OfFunction("", 0);
  ListHottestLoop(&explanation);
  EXPECT_THAT(explanation.listing, ElementsAre(HasSubstr("the function has no symbol")));
}

TEST(ExplainedCode, AListingThatFailsSaysWhy) {
  Explanation explanation = OfFunction("Hash", 10);
  ListHottestLoop(&explanation);
  EXPECT_THAT(explanation.listing, ElementsAre(HasSubstr("objdump")));
}

TEST(ExplainedCode, InOneProgramAFunctionOfBothIsTheSameCode) {
  Explanation explanation = OfFunction("Hash", 10);
  CompareNamedCode(nullptr, &explanation);
  EXPECT_EQ(explanation.parts[0].same_code, true);
  explanation.parts[0].code[1].begin = 200;
  CompareNamedCode(nullptr, &explanation);
  EXPECT_EQ(explanation.parts[0].same_code, false);
}

}  // namespace
}  // namespace duetbench
