#include "duetbench/platform/hash.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

// Noll, "FNV hash", test vectors of the 64-bit FNV-1a.
TEST(HashOfText, IsFnv1a) {
  EXPECT_EQ(HashOfText(""), 0xcbf29ce484222325u);
  EXPECT_EQ(HashOfText("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(HashOfText("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace duetbench
