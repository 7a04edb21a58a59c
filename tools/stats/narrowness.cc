#include "tools/stats/narrowness.h"

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

// From 20,000 experiments for R <= 10 and 10,000 above (hierarchical: 6000 and 3000).
constexpr SimulatedKind kSimulated[] = {
    {IntervalKind::kPercentile,
     {74.7, 83.8, 90.1, 92.5, 93.5, 94.1},
     {74.7, 89.9, 95.9, 97.6, 98.3, 98.4}},
    {IntervalKind::kExpanded,
     {74.7, 92.3, 94.6, 94.6, 94.8, 94.8},
     {74.7, 93.4, 98.8, 98.9, 98.9, 98.9}},
    {IntervalKind::kNMinus1,
     {74.7, 86.4, 91.4, 93.3, 94.0, 94.3},
     {74.7, 91.7, 96.6, 97.9, 98.4, 98.6}},
    {IntervalKind::kBasic,
     {76.0, 84.8, 91.2, 93.3, 94.1, 94.5},
     {76.0, 90.6, 96.6, 98.3, 98.6, 98.7}},
    {IntervalKind::kBca,
     {71.6, 83.2, 89.1, 91.6, 92.7, 93.5},
     {74.7, 89.4, 94.9, 96.9, 97.8, 98.2}},
    {IntervalKind::kBootT,
     {100.0, 94.6, 94.1, 93.9, 94.3, 94.5},
     {100.0, 98.9, 98.8, 98.6, 98.6, 98.7}},
    {IntervalKind::kHierarchical,
     {80.1, 86.7, 91.4, 93.5, 94.7, 94.8},
     {86.8, 93.4, 96.9, 98.0, 98.9, 99.0}},
};

// Coverages, in percent, that the t interval must keep on the hardest model of the coverage test.
constexpr double kMinAt95 = 93;
constexpr double kMinAt99 = 98;
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
  if (coverage >= (IsNear95(level) ? kMinAt95 : kMinAt99)) return "";
  return absl::StrFormat(
      "not enough runs for this interval kind: with %d runs its nominal %d %% cover about %.0f %%",
      runs, IsNear95(level) ? 95 : 99, coverage);
}

}  // namespace duetbench::stats
