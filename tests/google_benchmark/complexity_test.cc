#include "duetbench/google_benchmark/complexity.h"

#include <cmath>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

std::vector<ComplexityPoint> Points(const std::function<double(double)>& real,
                                    const std::function<double(double)>& cpu) {
  std::vector<ComplexityPoint> points;
  for (const int64_t n : {8, 64, 512, 4096}) {
    points.push_back({n, real(static_cast<double>(n)), cpu(static_cast<double>(n))});
  }
  return points;
}

TEST(FitComplexityTest, FindsTheCoefficientsOfBothTimes) {
  const auto fit =
      FitComplexity(Points([](double n) { return 3e-9 * n; }, [](double n) { return 2e-9 * n; }),
                    benchmark::oN, nullptr);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->complexity, benchmark::oN);
  EXPECT_NEAR(fit->real_coefficient, 3e-9, 1e-18);
  EXPECT_NEAR(fit->cpu_coefficient, 2e-9, 1e-18);
  EXPECT_NEAR(fit->real_rms, 0, 1e-9);
  EXPECT_NEAR(fit->cpu_rms, 0, 1e-9);
}

// Two points, f = 1: the mean 2 is off by 1 either way, which is half of the mean.
TEST(FitComplexityTest, TheErrorIsRelativeToTheMean) {
  const auto fit = FitComplexity({{1, 1.0, 0.0}, {2, 3.0, 0.0}}, benchmark::o1, nullptr);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->real_coefficient, 2, 1e-12);
  EXPECT_NEAR(fit->real_rms, 0.5, 1e-12);
  EXPECT_EQ(fit->cpu_rms, 0) << "no time at all is fitted exactly";
}

TEST(FitComplexityTest, AutoTakesTheCurveThatFitsBest) {
  const struct {
    benchmark::BigO complexity;
    double (*curve)(double);
  } kCases[] = {
      {benchmark::o1, [](double) { return 1.0; }},
      {benchmark::oLogN, [](double n) { return std::log2(n); }},
      {benchmark::oN, [](double n) { return n; }},
      {benchmark::oNLogN, [](double n) { return n * std::log2(n); }},
      {benchmark::oNSquared, [](double n) { return n * n; }},
      {benchmark::oNCubed, [](double n) { return n * n * n; }},
  };
  for (const auto& [complexity, curve] : kCases) {
    const auto fit = FitComplexity(
        Points([f = curve](double n) { return 5e-9 * f(n); }, [](double n) { return 1e-9 * n; }),
        benchmark::oAuto, nullptr);
    ASSERT_TRUE(fit.has_value());
    EXPECT_EQ(fit->complexity, complexity) << "CPU time does not choose";
    EXPECT_NEAR(fit->real_coefficient, 5e-9, 1e-15);
  }
}

TEST(FitComplexityTest, TakesAFunctionOfTheUser) {
  const auto fit =
      FitComplexity(Points([](double n) { return 7 * std::sqrt(n); }, [](double) { return 0.0; }),
                    benchmark::oLambda, [](auto n) { return std::sqrt(static_cast<double>(n)); });
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->complexity, benchmark::oLambda);
  EXPECT_NEAR(fit->real_coefficient, 7, 1e-9);
}

TEST(FitComplexityTest, ThereIsNoneWithoutPointsOrWithoutACurve) {
  EXPECT_FALSE(FitComplexity({}, benchmark::oN, nullptr).has_value());
  EXPECT_FALSE(FitComplexity({{8, 1, 1}}, benchmark::oN, nullptr).has_value());
  EXPECT_FALSE(FitComplexity({{8, 1, 1}, {0, 1, 1}}, benchmark::oN, nullptr).has_value())
      << "SetComplexityN was not called";
  EXPECT_FALSE(FitComplexity({{1, 1, 1}, {1, 1, 1}}, benchmark::oLogN, nullptr).has_value())
      << "lg 1 is 0";
}

}  // namespace
}  // namespace duetbench
