#include "duetbench/report/progress.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

// Goes to the start of the line and clears it.
constexpr char kClear[] = "\r\033[K";

TEST(ProgressLineTest, SaysWhichRunAndHowLong) {
  CaptureStderr();
  ProgressLine line(/*enabled=*/true);
  line.Show("BM_A_vs_BM_B/64", 2, 40, 0.93);
  line.Clear();
  EXPECT_EQ(GetCapturedStderr(),
            std::string(kClear) + "BM_A_vs_BM_B/64: run 3 of 40, 0.9 s left" + kClear);
}

TEST(ProgressLineTest, BeforeTheFirstRunNothingIsKnown) {
  CaptureStderr();
  ProgressLine line(/*enabled=*/true);
  line.Show("a", 0, 0, 1);
  line.Clear();
  EXPECT_EQ(GetCapturedStderr(), std::string(kClear) + "a: starting, 1.0 s to measure" + kClear);
}

// The text that `line` writes to stderr when it is cleared.
std::string Cleared(ProgressLine& line) {
  CaptureStderr();
  line.Clear();
  return GetCapturedStderr();
}

TEST(ProgressLineTest, DisappearsOnceAndOnlyIfItWasShown) {
  ProgressLine line(/*enabled=*/true);
  EXPECT_EQ(Cleared(line), "");
  CaptureStderr();
  line.Show("a", 1, 2, 1);
  GetCapturedStderr();
  EXPECT_EQ(Cleared(line), kClear);
  EXPECT_EQ(Cleared(line), "");
}

TEST(ProgressLineTest, IsClearedAtItsEnd) {
  CaptureStderr();
  { ProgressLine(/*enabled=*/true).Show("a", 1, 2, 1); }
  EXPECT_THAT(GetCapturedStderr(), ::testing::EndsWith(kClear));
}

TEST(ProgressLineTest, IsSilentWhenDisabled) {
  CaptureStderr();
  {
    ProgressLine line(/*enabled=*/false);
    line.Show("a", 1, 2, 1);
  }
  EXPECT_EQ(GetCapturedStderr(), "");
}

// Captured, stderr is a file.
TEST(ProgressLineTest, IsSilentWithoutATerminal) {
  CaptureStderr();
  {
    ProgressLine line;
    line.Show("a", 1, 2, 1);
  }
  EXPECT_EQ(GetCapturedStderr(), "");
}

}  // namespace
}  // namespace duetbench
