// Ratios that threads of the measuring process, or the allocator's state, would change. The right
// value is that of Google Benchmark's own main in a process with one thread, measured beside.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "duetbench/platform/crash_report.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;

// Adds the least CPU time of each ordinary benchmark in one start: a start may have a fast or a
// slow layout.
void AddStart(const std::string& main, std::map<std::string, std::vector<double>>* times) {
  const Outcome outcome =
      Execute("alone",
              {"--benchmark_filter=^BM_(CopyShared|CountPlainly|Put|PutUnlocked|Set|Vector)$",
               "--benchmark_min_time=0.01", "--benchmark_repetitions=3", "--benchmark_format=json"},
              {{"ALONE_MAIN", main}});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  std::map<std::string, double> least;
  for (const json& row : report["benchmarks"]) {
    if (row["run_type"] != "iteration") continue;
    const double time = row["cpu_time"];
    const auto [it, is_new] = least.try_emplace(row["run_name"], time);
    if (!is_new) it->second = std::min(it->second, time);
  }
  for (const auto& [name, time] : least) (*times)[name].push_back(time);
}

class AloneTimingTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::map<std::string, std::vector<double>> plain, beside_duets;
    for (int i = 0; i < 9; ++i) {
      AddStart("plain", &plain);
      AddStart("", &beside_duets);
    }
    // Who else is on the core slows a start down, and most of them at times.
    const auto least = [](const std::vector<double>& times) {
      return *std::min_element(times.begin(), times.end());
    };
    for (const auto& [name, times] : plain) plain_[name] = least(times);
    for (const auto& [name, times] : beside_duets) beside_duets_[name] = least(times);
  }
  void SetUp() override {
    if (HasSanitizer()) GTEST_SKIP() << "sanitizers have their own threads and allocators";
  }

  static double Plain(const std::string& new_name, const std::string& old_name) {
    return plain_.at(new_name) / plain_.at(old_name);
  }
  static double Ratio(const std::string& duet) {
    const Outcome outcome =
        Execute("alone", {"--benchmark_filter=^" + duet + "$", "--benchmark_format=json",
                          "--benchmark_min_time=0.5", "--duet_runs=8"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return RowOf(JsonOf(outcome.out), duet)["ratio"];
  }

  static inline std::map<std::string, double> plain_, beside_duets_;
};

TEST_F(AloneTimingTest, OrdinaryBenchmarksTakeTheSameTime) {
  ASSERT_EQ(plain_.size(), 6u);
  for (const auto& [name, time] : plain_) {
    EXPECT_NEAR(std::log(beside_duets_.at(name) / time), 0, std::log(1.4)) << name;
  }
}

// With atomic reference counts the ratio is two thirds of this one. The other variant counts in
// memory, which takes up to twice as long at some addresses.
TEST_F(AloneTimingTest, SharedPtrWithoutAtomics) {
  const double right = Plain("BM_CountPlainly", "BM_CopyShared");
  EXPECT_GT(Ratio("Shared") / right, 0.75) << right;
}

// With a locked stream it is half of this one.
TEST_F(AloneTimingTest, PutcWithoutLock) {
  const double right = Plain("BM_PutUnlocked", "BM_Put");
  EXPECT_GT(Ratio("Putc") / right, 0.7) << right;
}

TEST_F(AloneTimingTest, SetAndVectorDoNotShareTheAllocator) {
  const double right = Plain("BM_Vector", "BM_Set");
  EXPECT_NEAR(Ratio("Set_vs_Vector") / right, 1, 0.3) << right;
}

}  // namespace
}  // namespace duetbench::integration
