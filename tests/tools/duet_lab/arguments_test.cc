#include "tools/duet_lab/arguments.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(Arguments, TakesValuesInAnyOrderAndTheLastOfARepeatedOne) {
  Arguments arguments({"--b=x=y", "--n=3", "--s", "--n=5", "--d=0.5", "--b="});
  EXPECT_EQ(arguments.Whole("n", 1, 0, 10), 5);
  EXPECT_EQ(arguments.Number("d", 1, 0, 1), 0.5);
  EXPECT_THAT(arguments.Texts("b"), ElementsAre("x=y", ""));
  EXPECT_TRUE(arguments.Switch("s"));
  EXPECT_FALSE(arguments.Switch("s"));
  EXPECT_TRUE(arguments.Finish().ok());
}

TEST(Arguments, WhatIsNotGivenHasItsFallback) {
  Arguments arguments({});
  EXPECT_EQ(arguments.Whole("n", 7, 0, 10), 7);
  EXPECT_EQ(arguments.Number("d", 0.25, 0, 1), 0.25);
  EXPECT_EQ(arguments.Text("t", "text"), "text");
  EXPECT_THAT(arguments.Texts("t"), IsEmpty());
  EXPECT_TRUE(arguments.Finish().ok());
}

TEST(Arguments, ABadValueIsNamedWithWhatItShouldBe) {
  for (const char* bad : {"--n=", "--n=x", "--n=1.5", "--n=11", "--n=-1"}) {
    Arguments arguments({bad});
    EXPECT_EQ(arguments.Whole("n", 7, 0, 10), 7);
    EXPECT_THAT(MessageOf(arguments.Finish()), HasSubstr("a whole number from 0 to 10")) << bad;
  }
  for (const char* bad : {"--d=", "--d=x", "--d=2", "--d=nan"}) {
    Arguments arguments({bad});
    EXPECT_EQ(arguments.Number("d", 0.5, 0, 1), 0.5);
    EXPECT_THAT(MessageOf(arguments.Finish()), HasSubstr("a number from 0 to 1")) << bad;
  }
}

TEST(Arguments, WhatNobodyTookIsAnError) {
  for (const char* word : {"--nn=3", "--n", "n=3", "word"}) {
    Arguments arguments({word});
    arguments.Whole("n", 1, 0, 10);
    EXPECT_THAT(MessageOf(arguments.Finish()), HasSubstr(word));
  }
}

TEST(Arguments, WordsAfterTwoDashesAreTheRest) {
  Arguments arguments({"--n=3", "--", "--n=4", "--", "word"});
  EXPECT_EQ(arguments.Whole("n", 1, 0, 10), 3);
  EXPECT_THAT(arguments.rest(), ElementsAre("--n=4", "--", "word"));
  EXPECT_TRUE(arguments.Finish().ok());
}

}  // namespace
}  // namespace duetbench::lab
