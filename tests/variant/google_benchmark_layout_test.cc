#include "duetbench/variant/google_benchmark_layout.h"

#include "duetbench/platform/exit_status.h"
#include "gtest/gtest.h"

namespace duetbench::internal {
namespace {

TEST(RequireGoogleBenchmarkLayout, AcceptsTheHeadersOfTheLibrary) {
  RequireGoogleBenchmarkLayout(&kGoogleBenchmarkLayout, sizeof(kGoogleBenchmarkLayout));
}

TEST(RequireGoogleBenchmarkLayout, EndsAProgramWithOtherHeaders) {
  constexpr char kMessage[] = "duetbench: the library was built with Google Benchmark.*layout";
  GoogleBenchmarkLayout larger;
  larger.sizes[0] += 8;
  EXPECT_EXIT(RequireGoogleBenchmarkLayout(&larger, sizeof(larger)),
              testing::ExitedWithCode(kExitError), kMessage);

  GoogleBenchmarkLayout moved;
  moved.place_State_started_ = moved.place_State_finished_;
  EXPECT_EXIT(RequireGoogleBenchmarkLayout(&moved, sizeof(moved)),
              testing::ExitedWithCode(kExitError), kMessage);

  EXPECT_EXIT(RequireGoogleBenchmarkLayout(&moved, sizeof(moved) - 8),
              testing::ExitedWithCode(kExitError), kMessage);
}

}  // namespace
}  // namespace duetbench::internal
