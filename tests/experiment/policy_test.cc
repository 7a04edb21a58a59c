#include "duetbench/experiment/policy.h"

#include <algorithm>

#include "duetbench/record/measuring_policy.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using Kind = Step::Kind;
using Purpose = RunPurpose;

// A row of the table below: a calibration, or the runs that measured.
struct Told {
  double together = 1.02;  // ratio of the samples that count
  double solo = 1.02;      // ratio in the segments of one variant
  double slower = 1;       // of both: the time in turns over that solo
  double spread = 0.002;   // of the samples
  double set_up_ns = 0;
  double sample_ns = kSampleNs;
  int threads = 0;         // started by new
  double kept = 0.8;       // part of the budget that is undisturbed samples
  double took_ns = 300e6;  // without the set-up
  double cold = 0;         // excess of the ratio in the first quarter of each run
};

RunResult ResultOf(const Told& told, const RunPlan& plan, uint32_t run) {
  RunResult result = Noisy(told.spread, 200);
  result.batch = kBatch;
  result.sample_ns = told.sample_ns;
  result.set_up_ns = told.set_up_ns;
  result.wall_ns = told.set_up_ns + told.took_ns;
  result.started_threads[1] = told.threads;
  const double old_ticks = told.kept * plan.budget_ns / 200 / TwoCpus().ns_per_tick;
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    PairRecord& pair = result.pairs[i];
    pair.pair_index = i;
    const bool is_solo = plan.solo_share > 0 && i % 100 >= 60;
    if (is_solo) pair.flags |= kSolo;
    pair.ticks[1] *= old_ticks / pair.ticks[0] * (is_solo ? told.solo : told.together);
    if (i < 50) pair.ticks[1] *= 1 + told.cold;
    if (!is_solo) pair.ticks[1] *= told.slower;
    pair.ticks[1] *= 1 + 1e-4 * (run % 3);  // runs differ
    pair.ticks[0] = old_ticks * (is_solo ? 1 : told.slower);
  }
  return result;
}

// An experiment up to the step after these calibrations, each of which was the policy's own step.
class AfterCalibration {
 public:
  explicit AfterCalibration(const std::vector<Told>& calibrations, ExperimentOptions options = {})
      : options_(std::move(options)), step_(Ask(FirstCourse(options_, machine_))) {
    for (const Told& told : calibrations) {
      EXPECT_EQ(step_.kind, Kind::kLaunch);
      RunOfPairs run(1);
      run.front() = ResultOf(told, step_.course.plan, 0);
      run.front().process_ns = step_.course.plan.budget_ns + 3e6;
      run.front().wall_ns = step_.course.plan.budget_ns;
      evidence_.account.AddRun(run.front(), step_.course.plan);
      evidence_.last = step_.purpose;
      evidence_.calibration = run;
      step_ = Ask(step_.course);
    }
  }

  const Step& step() const { return step_; }

  // The step after this number of runs that measure, too.
  Step AfterRuns(int runs, const Told& told, bool is_enough) {
    EXPECT_EQ(step_.kind, Kind::kMeasure);
    evidence_.is_measuring = true;
    evidence_.calibration.clear();
    evidence_.pairs.front().clear();
    for (int run = 0; run < runs; ++run) {
      evidence_.pairs.front().push_back(
          ResultOf(told, step_.course.plan, static_cast<uint32_t>(run)));
    }
    evidence_.is_enough = is_enough;
    const Step step = Ask(step_.course);
    return step.kind == Kind::kMeasure ? Ask(step.course) : step;  // the length of runs is chosen
  }

 private:
  Step Ask(Course course) const { return NextStep(evidence_, std::move(course)); }

  const ExperimentOptions options_;
  const Machine machine_ = TwoCpus();
  Evidence evidence_{options_, machine_};
  Step step_;
};

// Before the runs that measure: evidence, and what the policy makes of it.
TEST(Policy, BeginsWithTheScheduleOfTheCalibration) {
  const Told fine;
  Told waits = fine;
  waits.kept = 0.1;
  Told expensive = fine;
  expensive.set_up_ns = 40e6;
  Told is_long = fine;
  is_long.sample_ns = 60e6;
  Told threads = fine;
  threads.threads = 4;
  Told unlike = fine;
  unlike.together = 1.15;

  using Calibrations = std::vector<Told>;
  const struct {
    const char* when;
    Calibrations calibrations;
    Purpose purpose;  // kMeasuring: of no launch
    Schedule schedule;
    ScheduleCause cause;
  } kTable[] = {
      {"nothing is known", Calibrations({}), Purpose::kCalibration, Schedule::kAlternating,
       ScheduleCause::kGiven},
      {"variants are alike", Calibrations({fine}), Purpose::kMeasuring, Schedule::kInterleaved,
       ScheduleCause::kShown},
      {"it waited for its CPU", Calibrations({waits}), Purpose::kMeasuring, Schedule::kAlternating,
       ScheduleCause::kCalibration},
      {"one variant takes longer", Calibrations({unlike}), Purpose::kMeasuring,
       Schedule::kAlternating, ScheduleCause::kCalibration},
      {"a sample takes longer than a calibration", Calibrations({is_long}), Purpose::kMeasuring,
       Schedule::kAlternating, ScheduleCause::kCalibration},
      {"set-ups are expensive", Calibrations({expensive}), Purpose::kMeasuring,
       Schedule::kAlternating, ScheduleCause::kShown},
      {"threads are started", Calibrations({threads}), Purpose::kCalibrationOnAllCpus,
       Schedule::kInterleaved, ScheduleCause::kThreads},
      {"it is calibrated on all CPUs", Calibrations({threads, fine}), Purpose::kMeasuring,
       Schedule::kInterleaved, ScheduleCause::kThreads},
  };
  for (const auto& row : kTable) {
    SCOPED_TRACE(row.when);
    const AfterCalibration experiment(row.calibrations);
    const Step& step = experiment.step();
    const bool is_launch = row.purpose != Purpose::kMeasuring;
    EXPECT_EQ(step.kind, is_launch ? Kind::kLaunch : Kind::kMeasure) << step.reason;
    EXPECT_EQ(step.purpose, row.purpose) << step.reason;
    EXPECT_EQ(step.course.schedule, row.schedule) << step.reason;
    EXPECT_EQ(step.course.cause, row.cause) << step.reason;
    EXPECT_FALSE(step.reason.empty());
    EXPECT_EQ(step.course.plan.is_pilot, is_launch ? 1u : 0u);
  }
}

// While runs measure: evidence, and what the policy makes of it.
TEST(Policy, LooksAtTheRunsAfterSomeOfThem) {
  const Told fine;
  Told disturbed = fine;
  disturbed.together = 1.2;
  Told cold = fine;
  cold.cold = 0.2;
  Told unlike = fine;
  unlike.together = unlike.solo = 0.85;
  Told slower = fine;
  slower.slower = 1.2;
  Told much_slower = fine;
  much_slower.slower = 1.3;
  const std::vector<Told> alike = {fine};
  const struct {
    const char* when;
    int runs;
    Told told;
    bool is_enough;
    Kind kind;
    Schedule schedule;
  } kTable[] = {
      {"there is none", 0, fine, false, Kind::kLaunch, Schedule::kInterleaved},
      {"all is well", 4, fine, false, Kind::kLaunch, Schedule::kInterleaved},
      {"they are enough", 18, fine, true, Kind::kEnd, Schedule::kInterleaved},
      {"they disturb each other, not looked at", 5, disturbed, false, Kind::kLaunch,
       Schedule::kInterleaved},
      {"they disturb each other", 4, disturbed, false, Kind::kRestart, Schedule::kAlternating},
      {"they do, found at the end", 18, disturbed, true, Kind::kRestart, Schedule::kAlternating},
      {"they are unlike after all, not looked at", 5, unlike, false, Kind::kLaunch,
       Schedule::kInterleaved},
      {"they are unlike after all", 4, unlike, false, Kind::kRestart, Schedule::kAlternating},
      {"they are, found at the end", 18, unlike, true, Kind::kRestart, Schedule::kAlternating},
      {"turns slow both down, which one run does not show", 1, slower, false, Kind::kLaunch,
       Schedule::kInterleaved},
      {"it does", 1, much_slower, false, Kind::kRestart, Schedule::kAlternating},
      {"turns slow both down", 4, slower, false, Kind::kRestart, Schedule::kAlternating},
      {"few that do not vary", 5, fine, true, Kind::kEnd, Schedule::kInterleaved},
      {"long ones begin cold, so they are unlike", 2, cold, false, Kind::kRestart,
       Schedule::kAlternating},
  };
  for (const auto& row : kTable) {
    SCOPED_TRACE(row.when);
    AfterCalibration experiment(alike);
    const Step step = experiment.AfterRuns(row.runs, row.told, row.is_enough);
    EXPECT_EQ(step.kind, row.kind) << step.reason;
    EXPECT_EQ(step.course.schedule, row.schedule) << step.reason;
    EXPECT_FALSE(step.reason.empty());
    if (row.kind == Kind::kLaunch) {
      EXPECT_EQ(step.plan.run, static_cast<uint32_t>(row.runs));
    }
  }
}

TEST(Policy, TheFirstRunsShowHowLongRunsMustBe) {
  const Told fine;
  Told cold = fine;
  cold.cold = 0.2;
  const struct {
    const char* when;
    int runs;
    Told told;
    std::optional<bool> depends;
  } kTable[] = {{"there is none", 0, fine, std::nullopt},
                {"their head has the ratio of the rest", 1, fine, false},
                {"one has another one, and may be disturbed", 1, cold, std::nullopt},
                {"two have another one", 2, cold, true}};
  for (const auto& row : kTable) {
    SCOPED_TRACE(row.when);
    AfterCalibration experiment({fine});
    const double first_ns = experiment.step().course.plan.budget_ns;
    const Course course = experiment.AfterRuns(row.runs, row.told, false).course;
    EXPECT_EQ(course.depends_on_position, row.depends);
    EXPECT_EQ(course.plan.budget_ns < first_ns, row.depends == false);
    EXPECT_EQ(course.runs > kMeasuringPolicy.fewest_runs, row.depends == false);
  }
}

TEST(Policy, BlocksHaveAsManySamplesAsTakeTheirTime) {
  for (const double took_ns : {15e6, 300e6}) {
    Told unlike;
    unlike.together = unlike.solo = 1.5;
    unlike.took_ns = took_ns;
    AfterCalibration experiment({unlike});
    const RunPlan plan = experiment.AfterRuns(2, unlike, false).plan;
    ASSERT_EQ(plan.schedule, Schedule::kAlternating);
    EXPECT_NEAR(plan.sample_ns, kSampleNs * std::min(1.0, took_ns / plan.budget_ns), 1e-6);
    EXPECT_EQ(plan.sample_ns < kSampleNs, took_ns < 20e6) << "blocks that are shorter than planned";
  }
}

TEST(Policy, TheSameEvidenceGivesTheSameStep) {
  const Told fine;
  const AfterCalibration first({fine});
  const AfterCalibration second({fine});
  EXPECT_EQ(first.step().course.plan.budget_ns, second.step().course.plan.budget_ns);
  EXPECT_EQ(first.step().reason, second.step().reason);
}

TEST(RunExperiment, ExecutionsOfProgramsNeedNoChoice) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    launched->front().sample_ns = 30e6;  // too long for segments in the time of a run
    if (launcher.plans.back().run < 8 && !launched->front().pairs.empty()) {
      launched->front().pairs.back().flags = kSolo;
    }
  };
  ExperimentOptions options;
  options.executions = true;
  options.calls = true;
  const Comparison comparison = RunExperiment(launcher, options);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.schedule, Schedule::kDuet);
  ASSERT_GT(launcher.plans.size(), 2u);
  EXPECT_NE(launcher.plans[0].is_pilot, 0u);
  EXPECT_EQ(launcher.plans[1].is_pilot, 0u);
}

}  // namespace
}  // namespace duetbench
