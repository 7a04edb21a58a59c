#include "duetbench/stats/crossing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace duetbench::stats {
namespace {

struct LogPoint {
  double x;     // ln(size)
  double mean;  // ln(ratio)
  double half;  // half of the width of its interval
  bool is_decided() const { return std::abs(mean) > half; }
};

// The w in [0, 1] where |m| = h between two points: the roots of a quadratic, ascending.
std::vector<double> EndsBetween(const LogPoint& left, const LogPoint& right) {
  const double slope = right.mean - left.mean;
  const double left_2 = left.half * left.half;
  const double a = slope * slope - left_2 - right.half * right.half;
  const double b = 2 * (left.mean * slope + left_2);
  const double c = left.mean * left.mean - left_2;
  std::vector<double> roots;
  if (a == 0) {
    if (b != 0) roots = {-c / b};
  } else {
    const double discriminant = std::max(0.0, b * b - 4 * a * c);
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    roots = {q / a};
    if (q != 0) roots.push_back(c / q);
  }
  const auto outside = [](double w) { return !(w >= 0 && w <= 1); };
  roots.erase(std::remove_if(roots.begin(), roots.end(), outside), roots.end());
  std::sort(roots.begin(), roots.end());
  return roots;
}

double Between(const LogPoint& left, const LogPoint& right, double w) {
  return left.x + w * (right.x - left.x);
}

// `first` and `last` are decided on different sides, and no point between them is decided.
Crossing CrossingBetween(const std::vector<LogPoint>& points, size_t first, size_t last) {
  std::vector<double> zeros;
  double lo = points[first].x;
  double hi = points[last].x;
  const std::vector<double> left_ends = EndsBetween(points[first], points[first + 1]);
  if (!left_ends.empty()) lo = Between(points[first], points[first + 1], left_ends.front());
  const std::vector<double> right_ends = EndsBetween(points[last - 1], points[last]);
  if (!right_ends.empty()) hi = Between(points[last - 1], points[last], right_ends.back());
  for (size_t i = first; i < last; ++i) {
    const LogPoint& left = points[i];
    const LogPoint& right = points[i + 1];
    if ((left.mean > 0) == (right.mean > 0)) continue;
    zeros.push_back(Between(left, right, left.mean / (left.mean - right.mean)));
  }
  const double x = (zeros.front() + zeros.back()) / 2;
  return {std::exp(x), std::exp(std::min(lo, x)), std::exp(std::max(hi, x)), points[last].mean < 0};
}

}  // namespace

std::vector<Crossing> FindCrossings(absl::Span<const CurvePoint> points) {
  std::vector<LogPoint> curve;
  for (const CurvePoint& point : points) {
    const RatioInterval& interval = point.interval;
    if (!(point.x > 0) || !(interval.lo > 0) || !std::isfinite(interval.hi)) continue;
    curve.push_back(
        {std::log(point.x), std::log(interval.ratio), std::log(interval.hi / interval.lo) / 2});
  }
  std::sort(curve.begin(), curve.end(),
            [](const LogPoint& a, const LogPoint& b) { return a.x < b.x; });
  std::vector<Crossing> crossings;
  size_t decided = curve.size();
  for (size_t i = 0; i < curve.size(); ++i) {
    if (!curve[i].is_decided()) continue;
    if (decided < i && (curve[decided].mean > 0) != (curve[i].mean > 0)) {
      crossings.push_back(CrossingBetween(curve, decided, i));
    }
    decided = i;
  }
  return crossings;
}

}  // namespace duetbench::stats
