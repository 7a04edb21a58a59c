#include "duetbench/decide/planning.h"

#include <cmath>

#include "duetbench/stats/distributions.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/require.h"

namespace duetbench::stats {
namespace {

void RequireDetection(const Detection& detection) {
  Require(
      detection.alpha > 0 && detection.alpha < 1 && detection.power > 0.5 && detection.power < 1,
      "Detection: alpha must be in (0, 1) and power in (0.5, 1)");
}

}  // namespace

double EffectSize(int runs, const Detection& detection) {
  Require(runs >= 2, "EffectSize: needs at least two runs");
  RequireDetection(detection);
  const double nu = runs - 1;
  return (TwoSidedT(detection.alpha, nu) + StudentsTQuantile(nu, 1 - detection.power)) /
         std::sqrt(static_cast<double>(runs));
}

double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection) {
  Require(spread >= 0, "MinimalDetectableSlowdown: the spread is negative");
  return std::expm1(EffectSize(runs, detection) * spread);
}

double UpperSpread(double spread, int runs) {
  Require(runs >= 2, "UpperSpread: needs at least two runs");
  const double nu = runs - 1;
  return spread * std::sqrt(nu / ChiSquaredQuantile(nu, 0.1));
}

}  // namespace duetbench::stats
