#ifndef DUETBENCH_TOOLS_DUET_REPORT_PAGE_CURVES_H_
#define DUETBENCH_TOOLS_DUET_REPORT_PAGE_CURVES_H_

#include <string>
#include <vector>

#include "duetbench/report/facts.h"
#include "duetbench/stats/interval.h"

namespace duetbench::page {

// The ratio at one size.
struct CurvePoint {
  double x;  // the size, positive
  stats::RatioInterval interval;
};

// The ratio of a family of benchmarks over one of its arguments.
struct Curve {
  std::string family;              // "BM_Map/n:…/2": the varying argument is '…'
  std::string argument;            // its name, "n" if it has none
  std::vector<CurvePoint> points;  // ascending, of different sizes
};

// The curves of at least three positive sizes. Arguments are found in the names: parts between
// slashes that are whole numbers, or NAME:NUMBER. Of several arguments that vary, the one with the
// most values makes the curve, one for each combination of the others. Options that Google
// Benchmark writes into names ("iterations:5") are no arguments. Of repetitions the first is taken.
std::vector<Curve> CurvesOf(const std::vector<Facts>& benchmarks);

// The curve as a <figure>.
std::string RatioOverArgument(const Curve& curve);

}  // namespace duetbench::page

#endif  // DUETBENCH_TOOLS_DUET_REPORT_PAGE_CURVES_H_
