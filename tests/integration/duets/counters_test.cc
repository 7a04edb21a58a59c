// Counters as a user sees them. What needs a PMU is in tests/platform and tests/experiment.
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;

// The row of the benchmark `name`.
json RowWith(const std::string& name, std::vector<std::string> flags,
             const std::map<std::string, std::string>& environment = {}) {
  flags.insert(flags.begin(), {"--benchmark_filter=^" + name + "$", "--benchmark_min_time=0.1"});
  const json report = ReportWith("counters", flags, environment);
  EXPECT_EQ(NamesOf(report).size(), 3u) << report;
  return RowOf(report, name);
}

class NamedCountersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "built with a sanitizer";
    const Outcome outcome =
        Execute("counters", {"--benchmark_filter=^same$", "--duet_require_counters",
                             "--benchmark_perf_counters=perf::PAGE-FAULTS"});
    if (outcome.status != 0) GTEST_SKIP() << outcome.err;
  }
};

TEST_F(NamedCountersTest, TheRatioHasAnInterval) {
  const json row = RowWith("more_faults", {"--benchmark_perf_counters=perf::PAGE-FAULTS"});
  EXPECT_NEAR(row["perf.perf::PAGE-FAULTS.ratio"], 3, 0.2);
  EXPECT_LE(row["perf.perf::PAGE-FAULTS.ratio_lo"], row["perf.perf::PAGE-FAULTS.ratio"]);
  EXPECT_GE(row["perf.perf::PAGE-FAULTS.ratio_hi"], row["perf.perf::PAGE-FAULTS.ratio"]);
}

TEST_F(NamedCountersTest, OfTheBenchmarkItself) {
  EXPECT_TRUE(RowWith("bytes", {}).contains("perf.perf::TASK-CLOCK.old"));
}

// --- Without names and without a PMU ---

TEST(UsageTest, FaultsAreReportedWhenTheSidesDiffer) {
  if (kSanitized) GTEST_SKIP() << "built with a sanitizer";
  const json row = RowWith("faults", {"--duet_runs=4"});
  EXPECT_NEAR(row["perf.MINOR-FAULTS.old"], 1000, 10);
  EXPECT_NEAR(row["perf.MINOR-FAULTS.new"], 0, 10);
}

TEST(UsageTest, SleepingIsAVoluntarySwitch) {
  const json row = RowWith("sleep", {"--duet_runs=4"});
  EXPECT_NEAR(row["perf.VOLUNTARY-SWITCHES.old"], 0, 0.1);
  EXPECT_NEAR(row["perf.VOLUNTARY-SWITCHES.new"], 1, 0.1);
}

TEST(MemoryTest, AllocationsOfEitherSide) {
  if (kSanitized) GTEST_SKIP() << "built with a sanitizer";
  for (const char* schedule : {"alternating", "duet", "interleaved"}) {
    const json row = RowWith("allocations", {std::string("--duet_schedule=") + schedule},
                             {{"TEST_MEMORY_MANAGER", "1"}});
    EXPECT_NEAR(row["perf.ALLOCATIONS.old"], 1, 0.1) << schedule;
    EXPECT_NEAR(row["perf.ALLOCATIONS.new"], 3, 0.1) << schedule;
    EXPECT_NEAR(row["perf.ALLOCATIONS.ratio"], 3, 0.1) << schedule;
  }
}

TEST(MemoryTest, PeaksAreThoseOfEachVariant) {
  if (kSanitized) GTEST_SKIP() << "built with a sanitizer";
  constexpr double kMiB = 1 << 20;
  for (const char* schedule : {"duet", "interleaved"}) {
    const json row =
        RowWith("memory", {std::string("--duet_schedule=") + schedule, "--duet_runs=5"},
                {{"TEST_MEMORY_MANAGER", "1"}});
    EXPECT_NEAR(row["perf.PEAK-HEAP.old"].get<double>() / kMiB, 16, 0.5) << schedule;
    EXPECT_NEAR(row["perf.PEAK-HEAP.new"].get<double>() / kMiB, 32, 0.5) << schedule;
    EXPECT_NEAR(row["perf.PEAK-HEAP.ratio"].get<double>(), 2, 0.01) << schedule;
    EXPECT_NEAR(row["perf.PEAK-RSS.old"].get<double>() / kMiB, 16, 3) << schedule;
    EXPECT_NEAR(row["perf.PEAK-RSS.new"].get<double>() / kMiB, 32, 3) << schedule;
  }
}

TEST(MemoryTest, WithoutAManagerTheyAreNotKnown) {
  EXPECT_FALSE(RowWith("allocations", {}).contains("perf.ALLOCATIONS.old"));
}

// --- Which time ---

TEST(TimeTest, TheRatioOfCpuTimesLeavesSleepingOut) {
  const double real = RowWith("sleep", {})["ratio"];
  const double cpu = RowWith("sleep", {"--duet_time=cpu"})["ratio"];
  EXPECT_GT(real, 2 * cpu) << "most of the time it sleeps";
}

// --- Rows and gates ---

// Leaves out where the event cannot be counted.
#define FAULTS                                                   \
  "$counters --benchmark_filter=^same$ --duet_require_counters " \
  "--benchmark_perf_counters=perf::PAGE-FAULTS >out 2>&1 || exit 99; "
#define MANAGED "TEST_MEMORY_MANAGER=1 $counters --benchmark_filter="

const Row kCounterRows[] = {
    {"each event degrades by itself, and Google Benchmark's own counters are not asked",
     FAULTS "$counters --benchmark_filter=^more_faults$ "
            "--benchmark_perf_counters=NO_SUCH_EVENT,perf::PAGE-FAULTS",
     0,
     "duetbench: counting perf::PAGE-FAULTS[...]duetbench: warning: not counted: NO_SUCH_EVENT: "
     "[...]per iteration, old -> new: perf::PAGE-FAULTS 1",
     Needs::kPlain, "not supported"},
    {"CSV has the columns in every row",
     FAULTS "$counters --benchmark_filter='^(more_faults|same|bytes)$' --benchmark_format=csv "
            "--benchmark_perf_counters=perf::PAGE-FAULTS",
     0, "perf.perf::PAGE-FAULTS.ratio_lo[...]\"bytes\"", Needs::kPlain},
    {"a required event that is missing",
     "$counters --benchmark_filter=same --duet_require_counters "
     "--benchmark_perf_counters=NO_SUCH_EVENT",
     2, "NO_SUCH_EVENT"},
    {"more allocations than the limit",
     MANAGED "^allocations$ --duet_max_counter_ratio=ALLOCATIONS:2", 1,
     "\n  FAIL (limit 2 ×): ALLOCATIONS 1 -> 3 an iteration, 3.000 ×, all above the limit\n[...]"
     "\nFAIL allocations: ALLOCATIONS 1 -> 3 an iteration",
     Needs::kPlain},
    {"the limit itself is allowed", MANAGED "^allocations$ --duet_max_counter_ratio=ALLOCATIONS:3",
     0, "", Needs::kPlain},
    {"a larger heap than the limit",
     MANAGED "^memory$ --duet_runs=5 --duet_max_counter_ratio=PEAK-HEAP:1.1", 1,
     "\n  FAIL (limit 1.1 ×): PEAK-HEAP 16", Needs::kPlain},
    {"a heap within it", MANAGED "^memory$ --duet_runs=5 --duet_max_counter_ratio=PEAK-HEAP:2.1", 0,
     "", Needs::kPlain},
    {"more memory than the limit",
     MANAGED "^memory$ --duet_runs=5 --duet_max_counter_ratio=PEAK-RSS:1.5", 1, "", Needs::kPlain},
    {"memory within it", MANAGED "^memory$ --duet_runs=5 --duet_max_counter_ratio=PEAK-RSS:3", 0,
     "", Needs::kPlain},
    {"a gate on allocations that nobody counts",
     "$counters --benchmark_filter=^same$ --duet_max_counter_ratio=ALLOCATIONS:1", 2,
     "duetbench::RegisterMemoryManager"},
    {"a gate on what does not exist, before any report has begun",
     "$counters --benchmark_filter=^same$ --duet_max_counter_ratio=NO_SUCH_EVENT:1", 2,
     "a gate on NO_SUCH_EVENT: not counted", Needs::kNothing, "Iterations"},
};

TEST_ROWS(CounterRows, kCounterRows);

}  // namespace
}  // namespace duetbench::integration
