// Runs with a fixed number of iterations (Iterations(n)).
#include <atomic>
#include <cstdint>
#include <set>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

// Counts the iterations after each of its set-ups.
class Counts {
 public:
  void operator()(State& state) const {
    uint64_t executed = 0;
    for (auto _ : state) {
      Work();
      ++executed;
    }
    if (executed != expected_ || state.iterations() != static_cast<int64_t>(executed)) {
      state.SkipWithError(absl::StrCat("executed ", executed));
    }
    ++*set_ups_;
  }
  Counts(uint64_t expected, std::atomic<int>* set_ups) : expected_(expected), set_ups_(set_ups) {}

 private:
  uint64_t expected_;
  std::atomic<int>* set_ups_;
};

RunPlan FixedPlan(Schedule schedule, uint64_t iterations, uint64_t batch) {
  RunPlan plan = ShortPlan(schedule);
  plan.fixed_iterations = iterations;
  plan.batch = batch;
  plan.sample_ns = 20e3;
  if (batch == 0) plan.budget_ns = 0;  // the run that calibrates
  return plan;
}

TEST(FixedRun, ExecutesThatManyIterationsOfBoth) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    for (const uint64_t iterations : {1, 2, 7, 100, 12'345}) {
      for (const uint64_t batch : {0, 1, 10, 1'000'000}) {
        for (const uint32_t fill : {0, 1}) {
          RunPlan plan = FixedPlan(schedule, iterations, batch);
          plan.fill = fill;
          std::atomic<int> set_ups{0};
          const Counts counts(iterations, &set_ups);
          const RunResult result = Execute(plan, counts, counts);
          EXPECT_EQ(result.error.cause, "") << iterations << " in batches of " << batch;
          EXPECT_EQ(set_ups, 2);
          EXPECT_EQ(result.pairs.empty(), batch == 0);
        }
      }
    }
  }
}

TEST(FixedRun, ThePairsAreAllOfTheIterationsWhereThereAreFew) {
  for (const uint64_t iterations : {1, 2, 3, 7, 13}) {
    const RunResult result =
        Measured(FixedPlan(Schedule::kDuet, iterations, 2), WorkLoop, WorkLoop);
    uint64_t sum = 0;
    std::set<uint32_t> assignments;
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.iterations[0], pair.iterations[1]);
      sum += pair.iterations[0];
      assignments.insert(pair.assignment);
    }
    EXPECT_EQ(sum, iterations);
    EXPECT_EQ(assignments.size(), iterations < 4 ? 1u : 2u) << "of one pair, and of more";
  }
}

TEST(FixedRun, TheCalibrationFindsABatchThatCanBeTimed) {
  const RunResult result = Measured(FixedPlan(Schedule::kDuet, 100'000, 0), WorkLoop, WorkLoop);
  EXPECT_GT(result.batch, 10u);
  EXPECT_LT(result.batch, 100'000u);
  EXPECT_GT(result.sample_ns, 0);
}

}  // namespace
}  // namespace duetbench
