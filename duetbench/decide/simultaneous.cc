#include "duetbench/decide/simultaneous.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "duetbench/stats/distributions.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kExperiments = 40'000;
constexpr std::uint64_t kSeed = 1;
constexpr int kMaxDegrees = 60;  // more make no difference

using Matrix = std::vector<std::vector<double>>;

Matrix Zeros(std::size_t size) { return Matrix(size, std::vector<double>(size)); }

// Up to a factor, which t statistics do not depend on.
Matrix Covariance(const std::vector<std::vector<double>>& series) {
  std::vector<std::vector<double>> centered = series;
  for (std::vector<double>& values : centered) {
    double sum = 0;
    for (const double value : values) sum += value;
    for (double& value : values) value -= sum / static_cast<double>(values.size());
  }
  Matrix covariance = Zeros(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t r = 0; r < series[0].size(); ++r) {
        covariance[i][j] += centered[i][r] * centered[j][r];
      }
    }
  }
  return covariance;
}

// The lower triangle L with L L' = `covariance`. The diagonal element of a series that depends on
// those before it is 0.
Matrix Cholesky(const Matrix& covariance) {
  const std::size_t size = covariance.size();
  Matrix lower = Zeros(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = covariance[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= lower[i][k] * lower[j][k];
      if (i == j) {
        lower[i][i] = std::sqrt(std::max(rest, 0.0));
      } else if (lower[j][j] > 0) {
        lower[i][j] = rest / lower[j][j];
      }
    }
  }
  return lower;
}

// Pairs of normal values (Box and Muller, 1958).
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : random_(seed) {}
  double Next() {
    has_second_ = !has_second_;
    if (!has_second_) return second_;
    constexpr double kTwoPi = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(1 - random_.Uniform()));
    const double angle = kTwoPi * random_.Uniform();
    second_ = radius * std::sin(angle);
    return radius * std::cos(angle);
  }

 private:
  Random random_;
  bool has_second_ = false;
  double second_ = 0;
};

// One experiment: the mean of each variant in units of its standard error, and the variances and
// covariances that its runs tell.
class Experiment {
 public:
  Experiment(const Matrix& lower, int degrees_of_freedom)
      : lower_(lower),
        degrees_of_freedom_(degrees_of_freedom),
        mean_(lower.size() + 1),
        value_(lower.size() + 1),
        sums_(Zeros(lower.size() + 1)) {}

  void Draw(Normals* normals) {
    DrawVector(normals, &mean_);
    for (std::vector<double>& row : sums_) std::fill(row.begin(), row.end(), 0);
    for (int d = 0; d < degrees_of_freedom_; ++d) {
      DrawVector(normals, &value_);
      for (std::size_t i = 1; i < value_.size(); ++i) {
        for (std::size_t j = 1; j <= i; ++j) sums_[i][j] += value_[i] * value_[j];
      }
    }
  }

  double SquareOfT(const VariantPair& pair) const {
    const auto i = static_cast<std::size_t>(std::max(pair.old_variant, pair.new_variant));
    const auto j = static_cast<std::size_t>(std::min(pair.old_variant, pair.new_variant));
    const double difference = mean_[i] - mean_[j];
    const double variance = (sums_[i][i] + sums_[j][j] - 2 * sums_[i][j]) / degrees_of_freedom_;
    // Two variants with the same values differ by rounding alone.
    const double negligible = 1e-12 * (sums_[i][i] + sums_[j][j]) / degrees_of_freedom_;
    return variance > negligible ? difference * difference / variance : 0;
  }

 private:
  // Element 0 is the base.
  void DrawVector(Normals* normals, std::vector<double>* drawn) const {
    double independent[16];
    for (std::size_t i = 0; i < lower_.size(); ++i) independent[i] = normals->Next();
    for (std::size_t i = 0; i < lower_.size(); ++i) {
      double value = 0;
      for (std::size_t j = 0; j <= i; ++j) value += lower_[i][j] * independent[j];
      (*drawn)[i + 1] = value;
    }
  }

  const Matrix& lower_;
  const int degrees_of_freedom_;
  std::vector<double> mean_;
  std::vector<double> value_;
  Matrix sums_;
};

bool HaveSameRuns(const std::vector<std::vector<double>>& log_ratios) {
  constexpr std::size_t kMinRuns = 3;
  constexpr std::size_t kMaxSeries = 16;
  return !log_ratios.empty() && log_ratios.size() <= kMaxSeries &&
         std::all_of(log_ratios.begin(), log_ratios.end(), [&](const auto& values) {
           return values.size() >= kMinRuns && values.size() == log_ratios[0].size();
         });
}

}  // namespace

double SimultaneousShare(const std::vector<std::vector<double>>& log_ratios,
                         absl::Span<const VariantPair> pairs, double degrees_of_freedom,
                         double alpha) {
  if (pairs.size() <= 1) return 1;
  const double bonferroni = 1 / static_cast<double>(pairs.size());
  if (!HaveSameRuns(log_ratios) || !(degrees_of_freedom >= 1)) return bonferroni;
  const Matrix lower = Cholesky(Covariance(log_ratios));
  const int degrees = std::min(static_cast<int>(degrees_of_freedom), kMaxDegrees);
  Normals normals(kSeed);
  Experiment experiment(lower, degrees);
  std::vector<double> largest(kExperiments);
  for (double& square : largest) {
    experiment.Draw(&normals);
    for (const VariantPair& pair : pairs) square = std::max(square, experiment.SquareOfT(pair));
  }
  const auto beyond = static_cast<std::ptrdiff_t>(alpha * static_cast<double>(kExperiments));
  std::nth_element(largest.begin(), largest.begin() + beyond, largest.end(), std::greater<>());
  const double critical = std::sqrt(largest[static_cast<std::size_t>(beyond)]);
  const double tail = StudentsTTail(static_cast<double>(degrees), critical);
  return std::clamp(2 * tail / alpha, bonferroni, 1.0);
}

}  // namespace duetbench::stats
