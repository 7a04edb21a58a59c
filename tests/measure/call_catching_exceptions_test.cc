#include <stdexcept>
#include <string>

#include "duetbench/measure/run_in_progress.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

struct OwnError {};

TEST(CallCatchingExceptions, WhatIsThrownIsNamed) {
  EXPECT_EQ(CallCatchingExceptions([] { throw std::out_of_range("index 7"); }),
            "threw std::out_of_range: index 7");
  EXPECT_EQ(CallCatchingExceptions([] { throw 3; }), "threw int");
  EXPECT_THAT(CallCatchingExceptions([] { throw OwnError(); }),
              ::testing::StrEq("threw duetbench::(anonymous namespace)::OwnError"));
  EXPECT_THAT(CallCatchingExceptions([] { throw std::string("text"); }),
              ::testing::HasSubstr("string"));
}

TEST(CallCatchingExceptions, ReturnsNothingWithoutAnException) {
  bool called = false;
  EXPECT_EQ(CallCatchingExceptions([&called] { called = true; }), "");
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace duetbench
