#include "duetbench/platform/core_probe.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <vector>

#include "duetbench/platform/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

using Pairs = std::vector<std::array<double, 2>>;

TEST(SlowDownOf, IsTogetherToAlone) {
  EXPECT_THAT(SlowDownOf({{{{100}, {100}}}, Pairs(4, {100, 100})}), Optional(1.0));
  EXPECT_THAT(SlowDownOf({{{{100}, {100}}}, Pairs(4, {200, 200})}), Optional(2.0));
  // A fast and a slow core, each as fast as alone.
  EXPECT_THAT(SlowDownOf({{{{100}, {150}}}, Pairs(4, {100, 150})}), Optional(1.0));
}

TEST(SlowDownOf, LeavesDisturbedBurstsOut) {
  const ProbeTimes separate = {{{{130, 100, 900}, {100, 4000, 101}}},
                               {{5000, 4900}, {101, 103}, {250, 250}, {101, 103}}};
  EXPECT_THAT(SlowDownOf(separate), Optional(DoubleNear(1.02, 1e-9)));
  // A single pair in which both were fast on a core that is shared does not count.
  const ProbeTimes shared = {{{{100}, {100}}}, {{200, 200}, {110, 120}, {205, 200}, {200, 200}}};
  EXPECT_THAT(SlowDownOf(shared), Optional(2.0));
}

TEST(SlowDownOf, NeedsTimesOfEverything) {
  EXPECT_EQ(SlowDownOf({}), std::nullopt);
  EXPECT_EQ(SlowDownOf({{{{100}, {}}}, Pairs(4, {100, 100})}), std::nullopt);
  EXPECT_EQ(SlowDownOf({{{{100}, {100}}}, Pairs(3, {100, 100})}), std::nullopt);
  EXPECT_EQ(SlowDownOf({{{{0}, {0}}}, Pairs(4, {100, 100})}), std::nullopt);
}

TEST(SlowDownOf, KnowsNothingWhenEachBurstAloneWasDisturbed) {
  EXPECT_EQ(SlowDownOf({{{{100}, {3000}}}, Pairs(4, {100, 100})}), std::nullopt);
  EXPECT_THAT(SlowDownOf({{{{100}, {100}}}, Pairs(4, {95, 95})}), Optional(0.95)) << "clocks vary";
}

// One undisturbed probe of two cores suffices; what looks like a shared core must do so twice.
TEST(JudgeProbes, SharedCoresMustBeSeenTwice) {
  const double unclear = std::numeric_limits<double>::infinity();
  EXPECT_EQ(JudgeProbes({}).sharing, CoreSharing::kUnclear);
  EXPECT_EQ(JudgeProbes({1.7}).sharing, CoreSharing::kUnclear);
  EXPECT_EQ(JudgeProbes({1.7, 1.02}).sharing, CoreSharing::kSeparate);
  EXPECT_EQ(JudgeProbes({unclear, 1.7, 1.45, 1.8}).sharing, CoreSharing::kUnclear);
  EXPECT_EQ(JudgeProbes({unclear, 1.45, unclear}).sharing, CoreSharing::kUnclear);
  EXPECT_EQ(JudgeProbes({unclear, 1.01}).sharing, CoreSharing::kSeparate);
  const ProbeVerdict shared = JudgeProbes({1.45, 2.0, 1.9});
  EXPECT_EQ(shared.sharing, CoreSharing::kShared);
  EXPECT_EQ(shared.slow_down, 1.9);
}

TEST(ClassifySlowDown, HasThreeClasses) {
  EXPECT_EQ(ClassifySlowDown(0.98), CoreSharing::kSeparate);
  EXPECT_EQ(ClassifySlowDown(1.15), CoreSharing::kSeparate) << "less turbo with two cores busy";
  EXPECT_EQ(ClassifySlowDown(1.45), CoreSharing::kUnclear);
  EXPECT_EQ(ClassifySlowDown(1.8), CoreSharing::kShared);
  EXPECT_EQ(ClassifySlowDown(2.2), CoreSharing::kShared);
  EXPECT_EQ(ClassifySlowDown(14), CoreSharing::kUnclear) << "they took turns";
}

TEST(ProbeCores, MeasuresTwoCpusOfThisMachine) {
  const auto allowed = AllowedCpus();
  ASSERT_TRUE(allowed.ok());
  if (allowed->size() < 2) GTEST_SKIP() << "needs two CPUs";
  const absl::StatusOr<ProbeTimes> times = ProbeCores((*allowed)[0], (*allowed)[1]);
  if (!times.ok()) {
    // On a machine so busy that the two never ran together this is the right answer.
    EXPECT_EQ(times.status().code(), absl::StatusCode::kUnavailable) << times.status();
    return;
  }
  EXPECT_THAT(times->alone[0], Not(IsEmpty()));
  EXPECT_THAT(times->alone[1], Not(IsEmpty()));
  for (const auto& pair : times->together) EXPECT_THAT(pair, Each(Gt(0)));
}

// Root has no limit on processes; a limit on memory stops threads, which need a stack.
TEST(ProbeCores, ReportsThatNoThreadCanBeStarted) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve memory, too";
  const auto allowed = AllowedCpus();
  if (allowed->size() < 2) GTEST_SKIP() << "needs two CPUs";
  // In a new process: glibc keeps the stacks of threads that have ended.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        rlimit none{};
        none.rlim_cur = none.rlim_max = 1 << 20;
        setrlimit(RLIMIT_AS, &none);
        const absl::StatusOr<ProbeTimes> times = ProbeCores((*allowed)[0], (*allowed)[1]);
        _exit(times.status().code() == absl::StatusCode::kResourceExhausted ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ProbeCores, RefusesCpusThatCannotBeUsed) {
  EXPECT_EQ(ProbeCores(0, 0).status().code(), absl::StatusCode::kInvalidArgument);
  const int allowed = AllowedCpus()->front();
  EXPECT_FALSE(ProbeCores(allowed, 1'000'000).ok());
  EXPECT_FALSE(ProbeCores(1'000'000, allowed).ok());
}

}  // namespace
}  // namespace duetbench
