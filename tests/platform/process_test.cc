#include "duetbench/platform/process.h"

#include <cstdio>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

// Where programs started from here have their stack.
std::set<std::string> Stacks() {
  std::set<std::string> stacks;
  for (int i = 0; i < 4; ++i) {
    FILE* const pipe = popen("grep '.stack.' /proc/self/maps", "r");
    char line[300] = "";
    if (pipe != nullptr && std::fgets(line, sizeof(line), pipe) != nullptr) stacks.insert(line);
    if (pipe != nullptr) pclose(pipe);
  }
  return stacks;
}

TEST(SetLayoutFixed, IsForTheProgramsStartedFromHere) {
  const bool was_fixed = LayoutFixedForProcess();
  SetLayoutFixed(true);
  if (!LayoutFixedForProcess()) GTEST_SKIP() << "cannot be changed here";
  EXPECT_EQ(Stacks().size(), 1u);
  SetLayoutFixed(false);
  EXPECT_FALSE(LayoutFixedForProcess());
  SetLayoutFixed(was_fixed);
  EXPECT_EQ(LayoutFixedForProcess(), was_fixed);
}

}  // namespace
}  // namespace duetbench
