#include "duetbench/decide/pairs.h"

#include <cmath>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::string Message(const RunPairs& run) { return std::string(CheckPairs(run).message()); }

TEST(CheckPairs, AcceptsPositiveFiniteTimes) {
  EXPECT_TRUE(CheckPairs({{1, 2, 0}, {1e-300, 1e-300, 1}}).ok());
}

TEST(CheckPairs, NamesTheFirstOffendingPair) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Message({}), "the run has no pairs");
  for (double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THAT(Message({{1, 1, 0}, {1, bad, 0}, {0, 0, 0}}),
                ::testing::StartsWith("pair 1: times"));
    EXPECT_THAT(Message({{bad, 1, 0}}), ::testing::StartsWith("pair 0: times"));
  }
  EXPECT_THAT(Message({{1e-300, 1e300, 0}}),
              ::testing::EndsWith("is out of the range of a double"));
  EXPECT_THAT(Message({{1e300, 1e-300, 0}}),
              ::testing::EndsWith("is out of the range of a double"));
  EXPECT_EQ(Message({{1, 1, 2}}), "pair 0: the assignment must be 0 or 1, got 2");
  EXPECT_EQ(Message({{1, 1, -1}}), "pair 0: the assignment must be 0 or 1, got -1");
}

TEST(Strata, AreTheAssignmentsThatThereAre) {
  EXPECT_THAT(Strata({{1, 1, 1}, {1, 1, 0}, {1, 1, 1}}),
              ElementsAre(ElementsAre(1), ElementsAre(0, 2)));
  EXPECT_THAT(Strata({{1, 1, 1}, {1, 1, 1}}), ElementsAre(ElementsAre(0, 1)));
}

TEST(LogRatios, AreThoseOfNewOverOld) {
  EXPECT_THAT(LogRatios({{100, 110, 0}, {4, 2, 1}}), ElementsAre(std::log(1.1), std::log(0.5)));
}

}  // namespace
}  // namespace duetbench::stats
