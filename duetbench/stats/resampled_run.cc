#include "duetbench/stats/resampled_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

// The value of the 0-based `rank` among the values drawn.
double DrawnValue(absl::Span<const double> values, absl::Span<const std::uint32_t> drawn,
                  std::size_t rank) {
  std::size_t i = 0;
  for (std::size_t below = drawn[0]; below <= rank; below += drawn[i]) ++i;
  return values[i];
}

}  // namespace

ResampledRun::ResampledRun(const RunPairs& run, Estimator estimator) : estimator_(estimator) {
  if (estimator == Estimator::kGeomean) {
    AddStratum(LogRatios(run));
    return;
  }
  std::vector<double> parts[2];
  for (const Pair& pair : run) {
    parts[pair.assignment].push_back(std::log(pair.new_time / pair.old_time));
  }
  for (std::vector<double>& part : parts) {
    if (!part.empty()) AddStratum(std::move(part));
  }
}

ResampledRun::ResampledRun(absl::Span<const double> values) : estimator_(Estimator::kGeomean) {
  AddStratum({values.begin(), values.end()});
}

void ResampledRun::AddStratum(std::vector<double> values) {
  Require(!values.empty(), "a resampled run needs a value");
  std::sort(values.begin(), values.end());
  const double center = Mean(values);
  for (double& value : values) value -= center;
  std::vector<std::uint32_t> drawn;
  if (estimator_ != Estimator::kGeomean) drawn.resize(values.size());
  strata_.push_back({center, std::move(values), std::move(drawn)});
}

double ResampledRun::Draw(Random& random) {
  double sum = 0;
  for (Stratum& stratum : strata_) {
    switch (estimator_) {
      case Estimator::kGeomean:
        sum += DrawMean(stratum, random);
        break;
      case Estimator::kTrimmed:
        sum += DrawTrimmed(stratum, random);
        break;
      case Estimator::kMedian:
        sum += DrawMedian(stratum, random);
        break;
    }
  }
  return sum / static_cast<double>(strata_.size());
}

double ResampledRun::DrawMean(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  const double* values = stratum.values.data();
  double sum = 0;
  random.VisitIndices(n, n, [&](std::size_t i) { sum += values[i]; });
  return stratum.center + sum / static_cast<double>(n);
}

double ResampledRun::DrawTrimmed(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  const auto drop = static_cast<std::size_t>(TrimmedCount(n, kTrimFraction));
  if (drop == 0) return DrawMean(stratum, random);
  const double* values = stratum.values.data();
  std::uint32_t* drawn = stratum.drawn.data();
  std::fill(stratum.drawn.begin(), stratum.drawn.end(), 0);
  double sum = 0;
  random.VisitIndices(n, n, [&](std::size_t i) {
    sum += values[i];
    ++drawn[i];
  });
  std::size_t left = drop;
  for (std::size_t i = 0; left > 0; ++i) {
    const std::size_t dropped = std::min<std::size_t>(drawn[i], left);
    sum -= static_cast<double>(dropped) * values[i];
    left -= dropped;
  }
  left = drop;
  for (std::size_t i = n - 1; left > 0; --i) {
    const std::size_t dropped = std::min<std::size_t>(drawn[i], left);
    sum -= static_cast<double>(dropped) * values[i];
    left -= dropped;
  }
  return stratum.center + sum / static_cast<double>(n - 2 * drop);
}

double ResampledRun::DrawMedian(Stratum& stratum, Random& random) {
  const std::size_t n = stratum.values.size();
  std::uint32_t* drawn = stratum.drawn.data();
  std::fill(stratum.drawn.begin(), stratum.drawn.end(), 0);
  random.VisitIndices(n, n, [&](std::size_t i) { ++drawn[i]; });
  double median = DrawnValue(stratum.values, stratum.drawn, n / 2);
  if (n % 2 == 0) {
    median = (median + DrawnValue(stratum.values, stratum.drawn, n / 2 - 1)) / 2;
  }
  return stratum.center + median;
}

}  // namespace duetbench::stats
