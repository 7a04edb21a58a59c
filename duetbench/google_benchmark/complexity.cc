#include "duetbench/google_benchmark/complexity.h"

#include <cmath>

namespace duetbench {
namespace {

double Curve(benchmark::BigO complexity, benchmark::BigOFunc* lambda, int64_t n) {
  const auto x = static_cast<double>(n);
  switch (complexity) {
    case benchmark::oN:
      return x;
    case benchmark::oNSquared:
      return x * x;
    case benchmark::oNCubed:
      return x * x * x;
    case benchmark::oLogN:
      return std::log2(x);
    case benchmark::oNLogN:
      return x * std::log2(x);
    case benchmark::oLambda:
      return lambda != nullptr ? lambda(n) : 0;
    default:
      return 1;
  }
}

struct LeastSquares {
  double coefficient = 0;
  double rms = 0;
};

LeastSquares Fit(const std::vector<ComplexityPoint>& points, double ComplexityPoint::*time,
                 benchmark::BigO complexity, benchmark::BigOFunc* lambda) {
  double curve_squared = 0;
  double product = 0;
  double sum = 0;
  for (const ComplexityPoint& point : points) {
    const double curve = Curve(complexity, lambda, point.n);
    curve_squared += curve * curve;
    product += curve * point.*time;
    sum += point.*time;
  }
  LeastSquares fit;
  fit.coefficient = product / curve_squared;
  double squares = 0;
  for (const ComplexityPoint& point : points) {
    const double error = point.*time - fit.coefficient * Curve(complexity, lambda, point.n);
    squares += error * error;
  }
  const auto count = static_cast<double>(points.size());
  fit.rms = sum > 0 ? std::sqrt(squares / count) / (sum / count) : 0;
  return fit;
}

}  // namespace

std::optional<ComplexityFit> FitComplexity(const std::vector<ComplexityPoint>& points,
                                           benchmark::BigO complexity,
                                           benchmark::BigOFunc* lambda) {
  if (points.size() < 2) return std::nullopt;
  for (const ComplexityPoint& point : points) {
    if (point.n < 1) return std::nullopt;
  }
  std::vector<benchmark::BigO> candidates = {complexity};
  if (complexity == benchmark::oAuto) {
    candidates = {benchmark::o1,     benchmark::oLogN,     benchmark::oN,
                  benchmark::oNLogN, benchmark::oNSquared, benchmark::oNCubed};
  }
  std::optional<ComplexityFit> best;
  for (const benchmark::BigO candidate : candidates) {
    const LeastSquares real = Fit(points, &ComplexityPoint::real_seconds, candidate, lambda);
    const LeastSquares cpu = Fit(points, &ComplexityPoint::cpu_seconds, candidate, lambda);
    // lg 1 = 0 for all of them, or what a lambda returned.
    if (!std::isfinite(real.coefficient + cpu.coefficient + real.rms + cpu.rms)) continue;
    if (best.has_value() && real.rms >= best->real_rms) continue;
    best = {candidate, real.coefficient, cpu.coefficient, real.rms, cpu.rms};
  }
  return best;
}

}  // namespace duetbench
