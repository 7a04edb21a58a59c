#include "duetbench/report/progress.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

// Goes to the start of the line and clears it.
constexpr char kClear[] = "\r\033[K";

// The text that `show` writes to stderr.
template <class Show>
std::string Written(Show show) {
  CaptureStderr();
  show();
  return GetCapturedStderr();
}

TEST(ProgressLineTest, SaysWhichRunAndHowLongAndDisappearsOnce) {
  ProgressLine line(/*enabled=*/true);
  const auto clear = [&] { line.Clear(); };
  EXPECT_EQ(Written(clear), "") << "nothing was shown";
  EXPECT_EQ(Written([&] { line.Show("BM_A_vs_BM_B/64", 2, 40, 0.93); }),
            std::string(kClear) + "BM_A_vs_BM_B/64: run 3 of 40, 0.9 s left");
  EXPECT_EQ(Written(clear), kClear);
  EXPECT_EQ(Written(clear), "");
  EXPECT_EQ(Written([&] { line.Show("a", 0, 0, 1); }),
            std::string(kClear) + "a: starting, 1.0 s to measure")
      << "before the first run nothing is known";
}

TEST(ProgressLineTest, IsClearedAtItsEnd) {
  EXPECT_THAT(Written([] { ProgressLine(/*enabled=*/true).Show("a", 1, 2, 1); }),
              ::testing::EndsWith(kClear));
}

TEST(ProgressLineTest, IsSilentWhenDisabledAndWithoutATerminal) {
  EXPECT_EQ(Written([] { ProgressLine(/*enabled=*/false).Show("a", 1, 2, 1); }), "");
  // Captured, stderr is a file.
  EXPECT_EQ(Written([] { ProgressLine().Show("a", 1, 2, 1); }), "");
}

}  // namespace
}  // namespace duetbench
