#include "duetbench/runner/guarded.h"

#include <stdexcept>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

struct OwnError {};

TEST(Guarded, WhatIsThrownIsNamed) {
  EXPECT_EQ(Guarded([] { throw std::out_of_range("index 7"); }),
            "threw std::out_of_range: index 7");
  EXPECT_EQ(Guarded([] { throw 3; }), "threw int");
  EXPECT_THAT(Guarded([] { throw OwnError(); }), HasSubstr("OwnError"));
  EXPECT_THAT(Guarded([] { throw std::string("text"); }), HasSubstr("string"));
}

TEST(Guarded, OfWhatReturnsThereIsNothingToSay) {
  bool called = false;
  EXPECT_EQ(Guarded([&called] { called = true; }), "");
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace duetbench
