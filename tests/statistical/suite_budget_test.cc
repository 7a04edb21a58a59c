// False verdicts in suites with a budget: the driver of --duet_budget, experiments
// and decisions of the product on simulated machines, whose clock is the budget's. Prints the
// figures.
//
// DUETBENCH_SIMULATED_SUITES=N: suites of a cell, in place of 150.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "duetbench/experiment/suite_runs.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/simulated_experiments.h"

namespace duetbench {
namespace {

constexpr int kDuets = 40;

int Suites() {
  const char* const wanted = std::getenv("DUETBENCH_SIMULATED_SUITES");
  return wanted != nullptr && std::atoi(wanted) > 0 ? std::atoi(wanted) : 150;
}

struct SuiteTally {
  VerdictTally all;
  double seconds = 0;
  int largest_missed = 0;  // suites in which the largest upper end is below the largest ratio
};

class SimulatedJob final : public SuiteJob {
 public:
  SimulatedJob(const SimulatedWorld& world, std::uint64_t seed, double seconds_each, double* clock,
               SuiteTally* tally)
      : world_(world),
        simulated_(world, seed, StreamOf(world, 2)),
        machine_(MachineOfSimulation()),
        clock_(*clock),
        tally_(*tally) {
    ExperimentOptions options;
    options.seed = seed;
    options.min_time = std::min(1.0, seconds_each);
    options.max_time = 1e6;
    options.until_verdict = true;
    experiment_ = std::make_unique<Experiment>(options, machine_);
  }

  bool LaunchNext(double /*most_s*/) override {
    const RunPlan* const plan = experiment_->Next();
    if (plan == nullptr) return false;
    absl::StatusOr<RunOfPairs> launched = simulated_.Launcher()(*plan);
    clock_ += launched->front().process_ns * 1e-9;
    experiment_->Take(std::move(launched));
    return experiment_->Next() != nullptr;
  }
  void Finish(End end) override {
    if (end == End::kOutOfTime) experiment_->End();
    const Comparison comparison = std::move(experiment_->Finish().front());
    tally_.all.Add(comparison, world_.ratio);
    if (comparison.has_ratio()) upper_end_ = comparison.interval.hi;
  }
  void Report() override {}
  double RunsLeft() const override { return 1; }
  double Bytes() const override { return 0; }
  Prospect prospect() const override { return experiment_->prospect(); }

  double upper_end() const { return upper_end_; }

 private:
  const SimulatedWorld world_;
  SimulatedMachine simulated_;
  const Machine machine_;
  double& clock_;
  SuiteTally& tally_;
  std::unique_ptr<Experiment> experiment_;
  double upper_end_ = 0;
};

// Suites of duets with these true ratios, in turn, and a budget in seconds for each duet.
SuiteTally SimulateSuites(SimulatedWorld world, const std::vector<double>& ratios,
                          double seconds_each) {
  SuiteTally tally;
  for (int suite = 0; suite < Suites(); ++suite) {
    double clock = 0;
    std::vector<std::unique_ptr<SimulatedJob>> jobs;
    std::vector<SuiteJob*> all;
    double largest = 0;
    for (int i = 0; i < kDuets; ++i) {
      world.ratio = ratios[static_cast<size_t>(i) % ratios.size()];
      largest = std::max(largest, world.ratio);
      jobs.push_back(std::make_unique<SimulatedJob>(
          world, static_cast<std::uint64_t>(suite * kDuets + i), seconds_each, &clock, &tally));
      all.push_back(jobs.back().get());
    }
    SuiteOrder order;
    order.seed = static_cast<std::uint64_t>(suite);
    order.budget_s = seconds_each * kDuets;
    order.clock = [&clock] { return clock; };
    MakeSuiteRuns(all, order, [] { return false; });
    EXPECT_LE(clock, 1.01 * order.budget_s);
    tally.seconds += clock / Suites();
    double bound = 0;
    for (const auto& job : jobs) bound = std::max(bound, job->upper_end());
    if (bound < largest) ++tally.largest_missed;
  }
  return tally;
}

void Print(const char* world, const char* suite, const SuiteTally& tally) {
  const VerdictTally& all = tally.all;
  std::printf(
      "[ SUITE ] %-8s %-22s false %.2f %%, missed %.2f %%, of %d; FASTER %.1f %%, SLOWER %.1f %%, "
      "EQUAL %.1f %%, open %.1f %%; width %.2f %%, %.1f runs, %.3g s; bound missed in %d of %d\n",
      world, suite, 100 * all.share(all.wrong), 100 * all.share(all.misses), all.experiments,
      100 * all.share(all.verdicts[0]), 100 * all.share(all.verdicts[1]),
      100 * all.share(all.verdicts[2]), 100 * all.share(all.verdicts[3]), 100 * all.width(),
      all.runs / all.experiments, tally.seconds, tally.largest_missed, Suites());
}

void Check(const SuiteTally& tally) {
  EXPECT_EQ(tally.all.without_ratio, 0);
  EXPECT_LE(tally.all.wrong, stats::MostOf(tally.all.experiments, 0.01));
  // The total ratio decides without a reason with this probability (decision_policy.h).
  EXPECT_LE(tally.all.misses,
            stats::MostOf(tally.all.experiments, 0.01 + stats::kDecision.tail_alpha));
  EXPECT_LE(tally.largest_missed, stats::MostOf(Suites(), 0.01 + stats::kDecision.tail_alpha));
}

SimulatedWorld Noisy() {
  SimulatedWorld world{"noisy"};
  world.run_sd = 0.02;
  return world;
}

TEST(SuiteWithBudget, OfIdenticalCodeHasAsFewFalseVerdictsAsTheLevelSays) {
  for (const double seconds : {0.3, 1.0}) {
    const SuiteTally tally = SimulateSuites({"white"}, {1}, seconds);
    Print("white", seconds < 1 ? "A/A, 0.3 s each" : "A/A, 1 s each", tally);
    Check(tally);
  }
}

TEST(SuiteWithBudget, OfNoisyCodeHasAsFewFalseVerdictsAsTheLevelSays) {
  const SuiteTally same = SimulateSuites(Noisy(), {1}, 0.5);
  Print("noisy", "A/A, 0.5 s each", same);
  Check(same);
  const SuiteTally edge = SimulateSuites(Noisy(), {1.01}, 0.5);
  Print("noisy", "at the margin, 0.5 s", edge);
  Check(edge);
}

TEST(SuiteWithBudget, FindsChangesAmongMany) {
  const SuiteTally tally = SimulateSuites({"white"}, {1, 1, 1, 1, 1, 1, 1, 1.05, 0.98, 1.005}, 0.5);
  Print("white", "three of ten changed", tally);
  Check(tally);
  EXPECT_GE(tally.all.share(tally.all.verdicts[static_cast<int>(stats::Verdict::kSlower)]), 0.099);
  EXPECT_GE(tally.all.share(tally.all.verdicts[static_cast<int>(stats::Verdict::kFaster)]), 0.099);
}

}  // namespace
}  // namespace duetbench
