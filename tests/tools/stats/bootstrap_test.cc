#include "tools/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden_agreement.h"
#include "tools/stats/random_indices.h"

namespace duetbench::stats {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;

std::vector<double> Sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// A golden file without a header: one resample a row.
std::vector<std::vector<std::size_t>> GoldenIndices(const std::string& name) {
  std::ifstream file(std::string(DUETBENCH_TESTDATA) + "/golden/" + name);
  std::vector<std::vector<std::size_t>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) {
      rows.back().push_back(std::stoul(cell));
    }
  }
  return rows;
}

// Jackknife estimates of the influence values: (n - 1) (t0 - t_without_i).
std::vector<double> JackknifeInfluence(double t0, const std::vector<double>& without_each) {
  std::vector<double> influence;
  for (double t : without_each) {
    influence.push_back(static_cast<double>(without_each.size() - 1) * (t0 - t));
  }
  return influence;
}

struct Bootstrap {
  double t0;
  double se0;
  std::vector<double> t;
  std::vector<double> studentized;
  double bias_correction;
  double acceleration;
};

void ExpectIntervals(const Bootstrap& b, const nlohmann::json& golden, const std::string& name,
                     double level, GoldenAgreement& agreement) {
  const std::vector<double> sorted = Sorted(b.t);
  const auto expect = [&](const char* kind, Ends ends) {
    agreement.Expect({ends.lo, ends.hi}, golden[name][kind], name + " " + kind);
  };
  expect("basic", BasicEnds(b.t0, sorted, level));
  expect("student", StudentizedEnds(b.t0, b.se0, Sorted(b.studentized), level));
  expect("percent", PercentileEnds(sorted, level));
  expect("bca", BcaEnds(sorted, b.bias_correction, b.acceleration, level));
  expect("percent_type7",
         {QuantileType7(sorted, (1 - level) / 2), QuantileType7(sorted, (1 + level) / 2)});
}

TEST(Bootstrap, RatioAsR) {
  const nlohmann::json golden = GoldenJson("boot_ratio.json");
  const std::vector<std::vector<double>> data = GoldenCsv("boot_ratio_data.csv");
  const auto sums = [&](const auto& indices) {
    double u = 0;
    double x = 0;
    for (std::size_t i : indices) {
      u += data[i][0];
      x += data[i][1];
    }
    return std::vector<double>{u, x};
  };
  const auto ratio = [&](const auto& indices) { return sums(indices)[1] / sums(indices)[0]; };
  const auto variance = [&](const auto& indices) {
    double squares = 0;
    for (std::size_t i : indices) {
      const double residual = data[i][1] - ratio(indices) * data[i][0];
      squares += residual * residual;
    }
    return squares / (sums(indices)[0] * sums(indices)[0]);
  };
  std::vector<std::size_t> everything(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) everything[i] = i;

  GoldenAgreement agreement("boot_ratio.json");
  Bootstrap b{};
  b.t0 = ratio(everything);
  b.se0 = std::sqrt(variance(everything));
  agreement.Expect(b.t0, golden["t0"], "t0");
  agreement.Expect(b.se0 * b.se0, golden["v0"], "v0");

  const std::vector<std::vector<double>> tstar = GoldenCsv("boot_ratio_tstar.csv");
  const std::vector<std::vector<std::size_t>> resamples = GoldenIndices("boot_ratio_indices0.csv");
  ASSERT_EQ(resamples.size(), tstar.size());
  for (std::size_t r = 0; r < resamples.size(); ++r) {
    b.t.push_back(ratio(resamples[r]));
    const double v = variance(resamples[r]);
    b.studentized.push_back((b.t.back() - b.t0) / std::sqrt(v));
    agreement.Expect(b.t.back(), tstar[r][0], "t*");
    agreement.Expect(v, tstar[r][1], "v*");
  }
  agreement.Expect(Mean(b.t) - b.t0, golden["bias"], "bias");
  agreement.Expect(StandardDeviation(b.t), golden["boot_se"], "boot_se");

  std::vector<double> without_each;
  for (std::size_t left_out = 0; left_out < data.size(); ++left_out) {
    std::vector<std::size_t> rest = everything;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    without_each.push_back(ratio(rest));
  }
  const std::vector<double> influence = JackknifeInfluence(b.t0, without_each);
  agreement.Expect(influence, golden["jack_infl"], "jack_infl");
  b.acceleration = Acceleration(influence);
  b.bias_correction = BiasCorrection(b.t0, b.t, /*ties_as_half=*/false);
  agreement.Expect(b.acceleration, golden["bca_acc_jack"], "acceleration");
  agreement.Expect(b.bias_correction, golden["bca_z0"], "z0");

  ExpectIntervals(b, golden, "ci90", 0.90, agreement);
  ExpectIntervals(b, golden, "ci95", 0.95, agreement);
  ExpectIntervals(b, golden, "ci99", 0.99, agreement);
}

TEST(Bootstrap, MeanAsR) {
  const nlohmann::json golden = GoldenJson("boot_mean.json");
  const auto x = golden["x"].get<std::vector<double>>();
  const auto n = static_cast<double>(x.size());
  GoldenAgreement agreement("boot_mean.json");
  Bootstrap b{};
  b.t0 = Mean(x);
  b.se0 = std::sqrt(Variance(x) / n);
  agreement.Expect(b.t0, golden["t0"], "t0");
  agreement.Expect(b.se0 * b.se0, golden["v0"], "v0");
  for (const std::vector<std::size_t>& indices : GoldenIndices("boot_mean_indices0.csv")) {
    std::vector<double> resample;
    resample.reserve(indices.size());
    for (std::size_t i : indices) resample.push_back(x[i]);
    b.t.push_back(Mean(resample));
    b.studentized.push_back((b.t.back() - b.t0) / std::sqrt(Variance(resample) / n));
  }
  std::vector<double> without_each;
  for (double left_out : x) without_each.push_back((b.t0 * n - left_out) / (n - 1));
  b.acceleration = Acceleration(JackknifeInfluence(b.t0, without_each));
  b.bias_correction = BiasCorrection(b.t0, b.t, /*ties_as_half=*/false);
  agreement.Expect(b.acceleration, golden["bca_acc_jack"], "acceleration");
  agreement.Expect(b.bias_correction, golden["bca_z0"], "z0");
  ExpectIntervals(b, golden, "ci95", 0.95, agreement);
  ExpectIntervals(b, golden, "ci99", 0.99, agreement);
}

TEST(MeanReplicates, HaveTheMomentsOfResampledMeans) {
  const std::vector<double> values = {1, 2, 4, 8, 16, 32};
  Random random(3);
  const std::vector<double> means = MeanReplicates(values, 5, 200000, random);
  EXPECT_THAT(means, Each(AllOf(Ge(1), Le(32))));
  const double variance = Variance(values) * 5 / 6 / 5;  // of the empirical distribution, over 5
  EXPECT_NEAR(Mean(means), Mean(values), 5 * std::sqrt(variance / 200000));
  EXPECT_NEAR(Variance(means) / variance, 1, 0.02);
}

TEST(StudentizedReplicates, AreTheTStatisticOfTheSameResamples) {
  const std::vector<double> values = {10.0, 10.5, 11.0, 13.0};
  Random random(5);
  Random same(5);
  const std::vector<double> studentized = StudentizedReplicates(values, 500, random);
  int infinite = 0;
  for (double replicate : studentized) {
    std::vector<double> resample;
    VisitIndices(same, values.size(), values.size(),
                 [&](std::size_t i) { resample.push_back(values[i]); });
    const double shift = Mean(resample) - Mean(values);
    const double s = StandardDeviation(resample);
    if (s > 0) {
      EXPECT_NEAR(replicate, shift / (s / 2), 1e-9 * std::abs(replicate));
    } else {
      EXPECT_EQ(replicate, shift > 0 ? HUGE_VAL : -HUGE_VAL);
      ++infinite;
    }
  }
  EXPECT_GT(infinite, 0);  // 1 of 64 resamples repeats one value
}

TEST(StudentizedEnds, AreUnboundedWhereTheQuantileIs) {
  const Ends ends = StudentizedEnds(1, 0.5, {-HUGE_VAL, -HUGE_VAL, -1, 0, 1, 2, 3, 4}, 0.5);
  EXPECT_EQ(ends.hi, HUGE_VAL);
  EXPECT_LT(ends.lo, 1);
  EXPECT_GT(ends.lo, -HUGE_VAL);
}

TEST(BiasCorrection, CountsTiesAsHalfOnRequest) {
  const std::vector<double> t = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(BiasCorrection(2.5, t, false), 0);
  EXPECT_DOUBLE_EQ(BiasCorrection(3, t, false), 0);
  EXPECT_NEAR(BiasCorrection(3, t, true), 0.31863936396437514, 1e-14);  // quantile of 2.5 / 4
  EXPECT_EQ(BiasCorrection(0, t, true), -HUGE_VAL);
  EXPECT_EQ(BiasCorrection(5, t, true), HUGE_VAL);
}

TEST(BcaProbabilities, AreThePercentileOnesWithoutCorrection) {
  const Ends p = BcaProbabilities(0, 0, 0.95);
  EXPECT_NEAR(p.lo, 0.025, 1e-15);
  EXPECT_NEAR(p.hi, 0.975, 1e-15);
}

TEST(BcaProbabilities, StayInOrderAtExtremeLevels) {
  for (double acceleration : {-0.16, 0.0, 0.16}) {
    for (double level : {0.5, 0.99, 1 - 1e-9}) {
      const Ends p = BcaProbabilities(0.3, acceleration, level);
      EXPECT_LE(p.lo, p.hi) << acceleration << " " << level;
      EXPECT_THAT(p.lo, AllOf(Ge(0), Le(1)));
      EXPECT_THAT(p.hi, AllOf(Ge(0), Le(1)));
    }
  }
}

TEST(QuantileBootCi, IsAnOrderStatisticAtAWholePosition) {
  const std::vector<double> squares = {1, 4, 9, 16, 25};
  EXPECT_EQ(QuantileBootCi(squares, 0.5), 9);
  EXPECT_EQ(QuantileBootCi(squares, 1.0 / 3), 4);
  EXPECT_EQ(QuantileBootCi(squares, 0), 1);
  EXPECT_EQ(QuantileBootCi(squares, 1), 25);
  EXPECT_EQ(QuantileBootCi(std::vector<double>{7}, 0.3), 7);
  // Between them it interpolates in the normal quantile, symmetrically about the median.
  const std::vector<double> symmetric = {-2, -1, 0, 1, 2};
  EXPECT_DOUBLE_EQ(QuantileBootCi(symmetric, 0.4), -QuantileBootCi(symmetric, 0.6));
  EXPECT_NE(QuantileBootCi(symmetric, 0.4), -0.6);  // linear in the position
  EXPECT_EQ(QuantileBootCi(symmetric, 0.01), -2);
  EXPECT_EQ(QuantileBootCi(symmetric, 0.99), 2);
}

TEST(QuantileBootCi, NextToAnInfiniteValueIsInfinite) {
  EXPECT_EQ(QuantileBootCi({-HUGE_VAL, 0, 1, HUGE_VAL}, 0.7), HUGE_VAL);
  EXPECT_EQ(QuantileBootCi({HUGE_VAL, HUGE_VAL, HUGE_VAL}, 0.4), HUGE_VAL);
}

}  // namespace
}  // namespace duetbench::stats
