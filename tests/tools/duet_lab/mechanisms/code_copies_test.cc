#include "tools/duet_lab/mechanisms/code_copies.h"

#include <set>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(CodeCopies, ComputeWhatTheOriginalDoes) {
  std::set<uint64_t> results;
  for (const MovableCode& code : MovableCodes()) {
    const auto copies = CodeCopies::Make(code, {0, 4096 + 48, 3 * 4096 + 1024 + 16});
    if (!copies.ok()) GTEST_SKIP() << copies.status();
    std::vector<uint64_t> expected_data = DataForMovableCode();
    const uint64_t expected = code.function(expected_data.data(), expected_data.size());
    results.insert(expected);
    EXPECT_NE(expected, 0u) << code.name;
    ASSERT_EQ((*copies)->functions().size(), 3u);
    for (const MovableCode::Function function : (*copies)->functions()) {
      EXPECT_NE(function, code.function);
      std::vector<uint64_t> data = DataForMovableCode();
      EXPECT_EQ(function(data.data(), data.size()), expected) << code.name;
      EXPECT_EQ(data, expected_data) << code.name;
    }
  }
  EXPECT_EQ(results.size(), MovableCodes().size());
}

TEST(CodeCopies, LieWhereTheyShall) {
  const auto copies = CodeCopies::Make(MovableCodes()[0], {16, 4096 + 64});
  if (!copies.ok()) GTEST_SKIP() << copies.status();
  const auto& functions = (*copies)->functions();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(functions[0]) % 4096, 16u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(functions[1]) - reinterpret_cast<uintptr_t>(functions[0]),
            4096u + 48u);
}

}  // namespace
}  // namespace duetbench::lab
