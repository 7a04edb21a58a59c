#include "duetbench/registry/session.h"

#include "duetbench/report/google_benchmark.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

// Parses in the one session there is; returns the arguments that are left.
std::vector<std::string> Left(std::vector<std::string> arguments, absl::Status* status) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  *status = Session::Get().ParseCommandLine(&argc, argv.data());
  EXPECT_EQ(argv[static_cast<size_t>(argc)], nullptr);
  return {argv.begin(), argv.begin() + argc};
}

TEST(SessionTest, TakesItsFlagsOutOfTheCommandLine) {
  absl::Status status;
  EXPECT_THAT(
      Left({"program", "--duet_runs=7", "a", "--duet_fill", "a", "--benchmark_filter=b"}, &status),
      ElementsAre("program", "a", "a", "--benchmark_filter=b"));
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(Session::Get().options().runs, 7);
  EXPECT_TRUE(Session::Get().options().fill);
}

TEST(SessionTest, LeavesTheCommandLineAloneWhenAFlagIsWrong) {
  absl::Status status;
  EXPECT_THAT(Left({"program", "--duet_runs=0", "a"}, &status),
              ElementsAre("program", "--duet_runs=0", "a"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

// Version 1.7.1 knows seconds without a unit only; later ones ask for it.
TEST(SessionTest, HandsOnSecondsAsTheLibraryReadsThem) {
  absl::Status status;
  EXPECT_THAT(Left({"program", "--benchmark_min_time=0.5s"}, &status),
              ElementsAre("program", internal::kReadsSeconds ? "--benchmark_min_time=0.5s"
                                                             : "--benchmark_min_time=0.5"));
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace duetbench
