#include "duetbench/stats/narrowness.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace duetbench::stats {
namespace {

constexpr double kSimulatedRuns[] = {3, 5, 10, 20, 30, 50};
constexpr std::size_t kSizes = std::size(kSimulatedRuns);

// Coverage in percent of the two nominal levels for each of kSimulatedRuns.
struct SimulatedKind {
  IntervalKind kind;
  double at95[kSizes];
  double at99[kSizes];
};

constexpr SimulatedKind kSimulated[] = {
    {IntervalKind::kPercentile,
     {74.1, 83.2, 89.9, 92.2, 93.4, 94.2},
     {74.1, 89.2, 95.9, 97.5, 98.3, 98.7}},
    {IntervalKind::kExpanded,
     {74.1, 91.5, 94.7, 94.2, 94.9, 95.0},
     {74.1, 92.1, 98.7, 98.8, 99.1, 98.9}},
    {IntervalKind::kNMinus1,
     {74.1, 86.0, 91.0, 92.9, 93.9, 94.4},
     {74.1, 90.8, 96.7, 97.6, 98.5, 98.7}},
    {IntervalKind::kBasic,
     {74.3, 84.2, 90.8, 92.7, 94.2, 94.8},
     {74.3, 89.9, 96.4, 98.0, 98.8, 98.8}},
    {IntervalKind::kBca,
     {71.4, 82.9, 89.0, 91.4, 92.9, 93.5},
     {74.1, 88.5, 94.6, 96.6, 97.8, 98.5}},
    {IntervalKind::kBootT,
     {100.0, 93.9, 93.7, 93.8, 94.5, 94.5},
     {100.0, 98.8, 98.7, 98.5, 98.7, 98.8}},
    {IntervalKind::kHierarchical,
     {79.0, 86.6, 90.6, 94.6, 95.4, 94.8},
     {85.5, 94.4, 96.2, 98.5, 98.7, 98.9}},
};

// What the t interval must keep on the hardest model of the coverage test.
constexpr double kLeastAt95 = 93;
constexpr double kLeastAt99 = 98;
constexpr double kLevelBetween = 0.975;

bool IsNear95(double level) { return level < kLevelBetween; }

}  // namespace

double SimulatedCoverage(IntervalKind kind, std::size_t runs, double level) {
  const double nominal = IsNear95(level) ? 95 : 99;
  const auto* const simulated =
      std::find_if(std::begin(kSimulated), std::end(kSimulated),
                   [&](const SimulatedKind& candidate) { return candidate.kind == kind; });
  if (simulated == std::end(kSimulated)) return nominal;
  const auto& coverage = IsNear95(level) ? simulated->at95 : simulated->at99;
  const auto n = static_cast<double>(runs);
  if (n <= kSimulatedRuns[0]) return coverage[0];
  std::size_t above = 0;  // the first simulated size that is not smaller
  while (above < kSizes && kSimulatedRuns[above] < n) ++above;
  // Errors of coverage are of order 1/R: straight lines in 1/R, towards the nominal one at 1/R = 0.
  const double x_low = 1 / kSimulatedRuns[above - 1];
  const double x_high = above < kSizes ? 1 / kSimulatedRuns[above] : 0;
  const double y_high = above < kSizes ? coverage[above] : nominal;
  const double weight = (x_low - 1 / n) / (x_low - x_high);
  return coverage[above - 1] + weight * (y_high - coverage[above - 1]);
}

std::string NarrownessWarning(IntervalKind kind, std::size_t runs, double level) {
  const double coverage = SimulatedCoverage(kind, runs, level);
  if (coverage >= (IsNear95(level) ? kLeastAt95 : kLeastAt99)) return "";
  return absl::StrFormat(
      "not enough runs for this interval kind: with %d runs its nominal %d %% cover about %.0f %%",
      runs, IsNear95(level) ? 95 : 99, coverage);
}

}  // namespace duetbench::stats
