#include "duetbench/decide/robust_mean.h"

#include <algorithm>
#include <cmath>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/interval.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kMadOfNormal = 1.4826;  // the standard deviation over the median deviation

// The mean of sorted values without some at both ends.
class TrimmedValues {
 public:
  TrimmedValues(absl::Span<const double> sorted, std::size_t below, std::size_t above)
      : below_(below), kept_(sorted.subspan(below, sorted.size() - below - above)) {
    Require(kept_.size() >= 2, "a standard error needs two values");
  }

  std::size_t below() const { return below_; }
  std::size_t size() const { return kept_.size(); }
  double mean() const { return Mean(kept_); }

  std::vector<double> Winsorized(absl::Span<const double> values) const {
    std::vector<double> winsorized;
    for (const double value : values) {
      winsorized.push_back(std::clamp(value, kept_.front(), kept_.back()));
    }
    return winsorized;
  }

  // As many of all values as each of those left stands for.
  double Weight(std::size_t all) const {
    return static_cast<double>(all) / static_cast<double>(kept_.size());
  }

  MeanEstimate Estimate(absl::Span<const double> values) const {
    MeanEstimate estimate;
    estimate.mean = mean();
    const auto left = static_cast<double>(kept_.size());
    const double squares = Variance(Winsorized(values)) * static_cast<double>(values.size() - 1);
    estimate.error = std::sqrt(squares / (left * (left - 1)));
    estimate.degrees_of_freedom = left - 1;
    return estimate;
  }

 private:
  std::size_t below_;
  absl::Span<const double> kept_;
};

TrimmedValues LeaveOutFarOff(absl::Span<const double> sorted, std::size_t most_far_off) {
  const double median = QuantileType7(sorted, 0.5);
  std::vector<double> deviations;
  for (const double value : sorted) deviations.push_back(std::abs(value - median));
  const double limit =
      std::max(kDecision.far_off * kMadOfNormal * Median(std::move(deviations)), kRounding);
  const auto below = static_cast<std::size_t>(
      std::lower_bound(sorted.begin(), sorted.end(), median - limit) - sorted.begin());
  const auto above = static_cast<std::size_t>(
      sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), median + limit));
  if (below + above > most_far_off) return TrimmedValues(sorted, 0, 0);
  return TrimmedValues(sorted, below, above);
}

double HalfWidthAt99(const MeanEstimate& mean) {
  return TwoSidedT(0.01, mean.degrees_of_freedom) * mean.error;
}

// The means of both differ by more than chance explains.
bool AreSkewed(absl::Span<const double> values, const TrimmedValues& all,
               const TrimmedValues& middle) {
  const std::vector<double> of_all = all.Winsorized(values);
  const std::vector<double> of_middle = middle.Winsorized(values);
  std::vector<double> differences;  // what each value contributes to that of the means
  for (std::size_t i = 0; i < values.size(); ++i) {
    differences.push_back(of_all[i] * all.Weight(values.size()) -
                          of_middle[i] * middle.Weight(values.size()));
  }
  const double error = MeanOfIndependent(differences).error;
  return std::abs(all.mean() - middle.mean()) > kDecision.errors_of_skew * error;
}

// Sample autocorrelation at lag 1, as R's acf(); 0 for a constant series. For iid data its standard
// error is about 1/sqrt(n) and its bias about -1/n.
double Lag1(absl::Span<const double> x) {
  // Compared, as the mean of equal values may be off by a rounding.
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) return 0;
  const double mean = Mean(x);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0) products += (x[i - 1] - mean) * (x[i] - mean);
    squares += (x[i] - mean) * (x[i] - mean);
  }
  return products / squares;
}

// By how many times the standard error of the mean of a series is that of independent values.
double ErrorFactor(absl::Span<const double> series) {
  if (series.size() < kDecision.min_values_of_lag1) return 1;
  const double lag1 = Lag1(series);
  const double bias = (1 + 3 * std::max(lag1, 0.0)) / static_cast<double>(series.size());
  const double corrected = std::clamp(lag1 + bias, 0.0, kDecision.largest_lag1);
  return std::sqrt((1 + corrected) / (1 - corrected));
}

std::vector<double> Sorted(absl::Span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

MeanEstimate MeanOfIndependent(absl::Span<const double> values) {
  return TrimmedValues(Sorted(values), 0, 0).Estimate(values);
}

MeanEstimate MeanOfSeries(absl::Span<const double> values) {
  MeanEstimate estimate = MeanOfIndependent(values);
  estimate.error *= ErrorFactor(values);
  return estimate;
}

MeanEstimate RobustMean(absl::Span<const double> values, std::size_t most_far_off) {
  const std::vector<double> sorted = Sorted(values);
  const TrimmedValues all = LeaveOutFarOff(sorted, most_far_off);
  MeanEstimate estimate = all.Estimate(values);
  TrimmedValues used = all;
  if (values.size() >= kDecision.many_runs) {
    const auto drop = static_cast<std::size_t>(TrimmedCount(all.size(), kDecision.trim));
    const TrimmedValues middle(sorted, all.below() + drop,
                               values.size() - all.below() - all.size() + drop);
    const MeanEstimate of_middle = middle.Estimate(values);
    if (HalfWidthAt99(of_middle) < kDecision.width_to_trim * HalfWidthAt99(estimate) &&
        !AreSkewed(values, all, middle)) {
      estimate = of_middle;
      used = middle;
    }
  }
  estimate.error *= ErrorFactor(used.Winsorized(values));
  estimate.far_off.assign(sorted.begin(),
                          sorted.begin() + static_cast<std::ptrdiff_t>(all.below()));
  estimate.far_off.insert(estimate.far_off.end(),
                          sorted.begin() + static_cast<std::ptrdiff_t>(all.below() + all.size()),
                          sorted.end());
  return estimate;
}

std::vector<double> WithoutFarOff(absl::Span<const double> values, std::size_t most_far_off) {
  const std::vector<double> sorted = Sorted(values);
  return LeaveOutFarOff(sorted, most_far_off).Winsorized(values);
}

std::size_t MostFarOff(std::size_t runs) { return runs / kDecision.runs_for_one_far_off; }

std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count) {
  Require(count >= 1 && count <= x.size(), "BatchMeans: needs at least one value in each batch");
  const std::size_t size = x.size() / count;
  std::vector<double> means;
  means.reserve(count);
  for (std::size_t batch = 0; batch < count; ++batch) {
    means.push_back(Mean(x.subspan(batch * size, size)));
  }
  return means;
}

}  // namespace duetbench::stats
