#include "duetbench/decide/diagnosis.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "duetbench/stats/estimator.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/series.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMinRunsTrend = 8;  // Mann-Kendall cannot reach kDiagnosisAlpha below
constexpr std::size_t kMaxRunsTrend = 2000;

std::optional<Effect> RunDrift(const std::vector<double>& values) {
  if (values.size() < kMinRunsTrend) return std::nullopt;
  // Means of consecutive runs, because both methods look at all pairs of values.
  const std::size_t batch = 1 + (values.size() - 1) / kMaxRunsTrend;
  const std::vector<double> series =
      batch == 1 ? values : BatchMeans(values, values.size() / batch);
  const double change = TheilSenSlope(series) * static_cast<double>(series.size() - 1);
  const double p = std::fabs(change) < kRounding ? 1.0 : MannKendallTest(series).p;
  return Effect{change, p, p <= kDiagnosisAlpha};
}

}  // namespace

absl::StatusOr<Diagnosis> Diagnose(absl::Span<const RunPairs> runs) {
  if (absl::Status status = CheckRuns(runs); !status.ok()) return status;
  Diagnosis diagnosis{};
  diagnosis.runs = runs.size();
  std::vector<double> values;
  for (const RunPairs& run : runs) values.push_back(*RunLogRatio(run, Estimator::kTrimmed));
  diagnosis.clusters = FindClusters(values);
  diagnosis.run_drift = RunDrift(values);
  return diagnosis;
}

}  // namespace duetbench::stats
