// Runs of inputs that repeat, by simulation with a fixed seed: how far the ratio that decides is
// from that of a pass, and whether the error knows it. Prints the table that the rules of
// FindPositionEffect were chosen by.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "duetbench/decide/stationarity.h"
#include "duetbench/decide/total_ratio.h"
#include "duetbench/record/robust.h"
#include "gtest/gtest.h"
#include "tests/measure/pair_of.h"
#include "tests/statistical/normal.h"

namespace duetbench::stats {
namespace {

constexpr size_t kPairs = 800;
constexpr double kTruth = 1.3;

// New's time at a place of a pass: slow in this part, so that a pass takes kTruth times as long.
constexpr std::pair<double, double> kSlowParts[] = {{0, .1},   {.4, 1},   {.333, .667}, {.4, .6},
                                                    {.9, 1},   {0, .5},   {.2, .3},     {0, .02},
                                                    {.5, .52}, {.7, .75}, {.1, .9},     {.6, .8}};

RunResult RunOf(const std::pair<double, double>& slow, double passes, Normal& normal) {
  RunResult run;
  run.depends_on_position = true;
  for (size_t i = 0; i < kPairs; ++i) {
    // The mean of the slow part up to a position.
    const auto slow_until = [&](double position) {
      const double place = position - std::floor(position);
      return std::floor(position) +
             std::clamp((place - slow.first) / (slow.second - slow.first), 0.0, 1.0);
    };
    const double begin = passes * static_cast<double>(i) / kPairs;
    const double end = passes * static_cast<double>(i + 1) / kPairs;
    const double ratio = 1 + (kTruth - 1) * (slow_until(end) - slow_until(begin)) / (end - begin);
    run.pairs.push_back(PairOf(1, ratio * std::exp(0.01 * normal.Next()), i));
  }
  return run;
}

double LogRatio(const RunResult& run, double taper) {
  double sum = 0;  // of old: kPairs
  for (size_t i = 0; i < kPairs; ++i) sum += Weight(taper, i, kPairs) * run.pairs[i].ticks[1];
  return std::log(sum / kPairs);
}

struct Tally {
  double median_error;
  double missed = 0;  // shares
  double open = 0;    // too wide for a verdict
};

Tally Simulate(double fewest, double most, Normal& normal) {
  constexpr int kLengths = 60;
  Tally tally{};
  std::vector<double> errors;
  for (const std::pair<double, double>& slow : kSlowParts) {
    for (int i = 0; i < kLengths; ++i) {
      const double passes = fewest * std::pow(most / fewest, (i + 0.5) / kLengths);
      const RunResult run = RunOf(slow, passes, normal);
      const PositionEffect effect = FindPositionEffect({run});
      const double log_ratio = LogRatio(run, effect.taper);
      const double half = effect.error + 0.003;  // of the noise
      const double distance = std::abs(log_ratio - std::log(kTruth));
      errors.push_back(effect.error);
      tally.missed += distance < half || distance + half < 0.02 ? 0 : 1;
      tally.open += log_ratio < half ? 1 : 0;
    }
  }
  const auto all = static_cast<double>(errors.size());
  tally = {Median(std::move(errors)), tally.missed / all, tally.open / all};
  std::printf("%4.1f to %4.1f passes: error %.3f, %4.1f %% miss, %4.1f %% open\n", fewest, most,
              tally.median_error, 100 * tally.missed, 100 * tally.open);
  return tally;
}

TEST(FindPositionEffect, KnowsHowFarWholePassesAre) {
  Random random(1);
  Normal normal(random);
  Simulate(0.3, 1, normal);  // a part that was not seen is not known
  const Tally one = Simulate(1, 1.5, normal);
  const Tally two = Simulate(1.5, 2, normal);
  const Tally three = Simulate(2, 3, normal);
  const Tally many = Simulate(4, 30, normal);
  EXPECT_LE(std::max({one.missed, two.missed, three.missed, many.missed}), 0.01);
  EXPECT_LE(two.open, 0.15);
  EXPECT_LE(three.open, 0.01);
  EXPECT_LE(many.median_error, 0.015);
}

}  // namespace
}  // namespace duetbench::stats
