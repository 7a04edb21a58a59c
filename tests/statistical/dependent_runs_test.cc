// The interval of runs that depend on each other in time, by simulation with fixed seeds: the share
// of the intervals of MeanOfDependent that miss the mean of an unlimited time, beside that of a t
// interval of runs taken for independent, and how much wider they are. Prints the table from which
// the number of time slots was chosen (decision_policy.h).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "duetbench/stats/dependent_mean.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kLevel = 0.99;
constexpr int kExperiments = 20'000;

// Half of the variance of a run's value is white, the other half is the state of the machine.
struct Setting {
  int runs;
  double seconds;       // in which they take place, at random moments
  double correlation;   // time of the state in seconds; 0: white too
  bool has_two_states;  // a telegraph process, else one of Ornstein and Uhlenbeck
};

class MachineState {
 public:
  MachineState(const Setting& setting, Random& random, Normal& normal)
      : setting_(setting), random_(random), normal_(normal), value_(Fresh()) {}

  // The value, of unit variance, `elapsed` seconds after the value before.
  double After(double elapsed) {
    const double kept = setting_.correlation > 0 ? std::exp(-elapsed / setting_.correlation) : 0;
    if (!setting_.has_two_states) {
      value_ = kept * value_ + std::sqrt(1 - kept * kept) * Fresh();
    } else if (random_.Uniform() >= kept) {
      value_ = Fresh();
    }
    return value_;
  }

 private:
  double Fresh() {
    if (!setting_.has_two_states) return normal_.Next();
    return random_.Uniform() < 0.5 ? 1 : -1;
  }

  const Setting& setting_;
  Random& random_;
  Normal& normal_;
  double value_;
};

std::vector<double> RunValuesOf(const Setting& setting, Random& random) {
  Normal normal(random);
  std::vector<double> times;
  for (int run = 0; run < setting.runs; ++run) times.push_back(setting.seconds * random.Uniform());
  std::sort(times.begin(), times.end());
  MachineState state(setting, random, normal);
  std::vector<double> values;
  double last = times.front();
  for (const double time : times) {
    values.push_back(0.01 * std::sqrt(0.5) * (state.After(time - last) + normal.Next()));
    last = time;
  }
  return values;
}

RatioInterval IntervalOf(const MeanEstimate& mean) {
  const double half = TwoSidedT(1 - kLevel, mean.degrees_of_freedom) * mean.error;
  return {std::exp(mean.mean),        std::exp(mean.mean - half),
          std::exp(mean.mean + half), kLevel,
          IntervalKind::kT,           ""};
}

struct Outcome {
  double missed = 0;
  double missed_as_independent = 0;
  double wider = 0;
};

Outcome Simulated(const Setting& setting) {
  IntervalTally in_time;
  IntervalTally independent;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(setting.runs));
    const std::vector<double> values = RunValuesOf(setting, random);
    in_time.Add(IntervalOf(MeanOfDependent(values)), 0);
    independent.Add(IntervalOf(MeanOfIndependent(values)), 0);
  }
  const Outcome outcome{in_time.missed(), independent.missed(),
                        in_time.log_widths / independent.log_widths};
  std::printf(
      "[ TIME ] %2d runs in %5.1f s, %s of %4.1f s: %5.1f %% miss, %5.1f %% as independent; %.2f "
      "times as wide\n",
      setting.runs, setting.seconds, setting.has_two_states ? "two states" : "correlation",
      setting.correlation, 100 * outcome.missed, 100 * outcome.missed_as_independent,
      outcome.wider);
  return outcome;
}

TEST(DependentRuns, IndependentOnesAreMissedAsOftenAsTheLevelSays) {
  for (const int runs : {5, 10, 12, 18, 20, 40}) {
    const Outcome outcome = Simulated({runs, 30, 0, false});
    EXPECT_LE(outcome.missed, MissedBound(kExperiments, 1 - kLevel));
    EXPECT_LT(outcome.wider, 1.5);
  }
}

// A suite of half a minute, whose runs are interleaved.
TEST(DependentRuns, OfASuiteAreMissedRarelyWhereStatesLastUpToATenthOfIt) {
  for (const int runs : {18, 20, 40}) {
    for (const double correlation : {0.1, 1.0, 3.0}) {
      const Outcome outcome = Simulated({runs, 30, correlation, false});
      EXPECT_LE(outcome.missed, 0.06);
      EXPECT_LE(outcome.missed, outcome.missed_as_independent + 0.003);
    }
  }
  EXPECT_LE(Simulated({20, 30, 1, false}).missed, 0.025);
  EXPECT_LE(Simulated({20, 30, 1, true}).missed, 0.04);
}

// A state that outlasts the experiment cannot be seen in it, by whatever rule.
TEST(DependentRuns, OfOneSecondDoNotTellOfStatesOfSeconds) {
  for (const double correlation : {1.0, 5.0, 20.0}) {
    const Outcome outcome = Simulated({20, 1, correlation, false});
    EXPECT_GT(outcome.missed, 0.1);
    EXPECT_LT(outcome.missed, outcome.missed_as_independent);
  }
}

}  // namespace
}  // namespace duetbench::stats
