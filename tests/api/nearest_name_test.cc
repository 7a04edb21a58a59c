#include "duetbench/api/nearest_name.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(NearestName("levle", {"ci", "level", "seed"}), "level");
  EXPECT_EQ(NearestName("winsorise", {"ci", "winsorize"}), "winsorize");
  EXPECT_EQ(NearestName("see", {"seed", "sees"}), "seed");
}

TEST(NearestName, FindsNothingFarAway) {
  EXPECT_EQ(NearestName("banana", {"ci", "level", "seed"}), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

}  // namespace
}  // namespace duetbench
