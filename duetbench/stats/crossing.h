#ifndef DUETBENCH_STATS_CROSSING_H_
#define DUETBENCH_STATS_CROSSING_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// The ratio new/old at one size.
struct CurvePoint {
  double x;  // the size, positive
  RatioInterval interval;
};

// Where the times of new and old cross.
struct Crossing {
  double x;               // the estimate
  double lo;              // interval of the crossing, lo <= x <= hi
  double hi;              // at the level of the points
  bool faster_from_here;  // new is faster from there on; else slower
};

// The crossings between sizes at which the ratio is decided: of two decided points (intervals that
// exclude 1), one below 1 and one above, with none decided between them. Points may come in any
// order; those with an unbounded interval are left out, and so are sizes that are not positive.
//
// Between measured sizes ln(ratio) is taken for linear in ln(x). At x = x_i^(1-w) x_j^w it is
// m = (1-w) m_i + w m_j, with the half-width h, h^2 = (1-w)^2 h_i^2 + w^2 h_j^2, as the points are
// independent. The interval of the crossing is the set of x where |m| <= h (Fieller's method, J. R.
// Statist. Soc. B 1954): it covers the crossing of the interpolated curve as often as an interval
// of a ratio covers its ratio.
//   {x 1, ratio 1.65 [1.49, 1.82]}, {x 100, ratio 0.61 [0.55, 0.67]}  ->  x 10, [7.2, 13.9]
std::vector<Crossing> FindCrossings(absl::Span<const CurvePoint> points);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_CROSSING_H_
