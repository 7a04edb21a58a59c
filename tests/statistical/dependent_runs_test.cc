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

#include "duetbench/stats/decision_policy.h"
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

std::vector<double> TimesOfRuns(const Setting& setting, Random& random) {
  std::vector<double> times;
  for (int run = 0; run < setting.runs; ++run) times.push_back(setting.seconds * random.Uniform());
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<double> ValuesAt(const std::vector<double>& times, const Setting& setting,
                             Random& random) {
  Normal normal(random);
  MachineState state(setting, random, normal);
  std::vector<double> values;
  double last = times.front();
  for (const double time : times) {
    values.push_back(0.01 * std::sqrt(0.5) * (state.After(time - last) + normal.Next()));
    last = time;
  }
  return values;
}

RatioInterval IntervalOf(const MeanEstimate& mean, double alpha) {
  const double half = TwoSidedT(alpha, mean.degrees_of_freedom) * mean.error;
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
    const std::vector<double> values = ValuesAt(TimesOfRuns(setting, random), setting, random);
    in_time.Add(IntervalOf(MeanOfDependent(values), 1 - kLevel), 0);
    independent.Add(IntervalOf(MeanOfIndependent(values), 1 - kLevel), 0);
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
TEST(DependentRuns, SuiteIsCoveredWhereStatesLastUpToATenthOfIt) {
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

struct GroupOutcome {
  double missed = 0;  // share of the experiments with a comparison that misses
  double log_width = 0;
};

// Comparisons of `variants` variants with the base, each of which has its own state;
// Bonferroni's share.
GroupOutcome SimulatedGroup(int variants, std::size_t most_slots, const Setting& setting) {
  constexpr int kGroups = 4'000;
  GroupOutcome outcome;
  for (int experiment = 0; experiment < kGroups; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment), static_cast<std::uint64_t>(variants));
    const std::vector<double> times = TimesOfRuns(setting, random);
    const std::vector<double> base = ValuesAt(times, setting, random);
    bool misses = false;
    for (int variant = 1; variant < variants; ++variant) {
      std::vector<double> values = ValuesAt(times, setting, random);
      for (std::size_t run = 0; run < values.size(); ++run) values[run] -= base[run];
      const RatioInterval interval =
          IntervalOf(MeanOfDependent(values, most_slots), (1 - kLevel) / (variants - 1));
      misses = misses || interval.lo > 1 || interval.hi < 1;
      outcome.log_width += std::log(interval.hi / interval.lo) / (variants - 1) / kGroups;
    }
    outcome.missed += misses ? 1.0 / kGroups : 0;
  }
  std::printf("[ TIME ] %d variants, %2d runs in %.2f s, correlation of %.2f s: %4.1f %% miss\n",
              variants, setting.runs, setting.seconds, setting.correlation, 100 * outcome.missed);
  return outcome;
}

// Eight variants in 4 s, beside one of seven duets in the same time.
TEST(DependentRuns, OfAGroupHoldAsOftenAsThoseOfADuet) {
  for (const double correlation : {0.0, 0.05, 0.1, 0.2}) {
    const GroupOutcome duet =
        SimulatedGroup(2, kDecision.max_time_slots, {18, 4.0 / 7, correlation, false});
    const GroupOutcome group =
        SimulatedGroup(8, kDecision.max_time_slots_of_group, {40, 4, correlation, false});
    EXPECT_LE(group.missed, std::max(duet.missed, MissedBound(4'000, 1 - kLevel)));
    if (correlation == 0) {
      EXPECT_LE(group.log_width, 0.77 * duet.log_width);
    }
  }
}

// A state that outlasts the experiment cannot be seen in it, by whatever rule.
TEST(DependentRuns, OneSecondCannotShowStatesOfSeconds) {
  for (const double correlation : {1.0, 5.0, 20.0}) {
    const Outcome outcome = Simulated({20, 1, correlation, false});
    EXPECT_GT(outcome.missed, 0.1);
    EXPECT_LT(outcome.missed, outcome.missed_as_independent);
  }
}

}  // namespace
}  // namespace duetbench::stats
