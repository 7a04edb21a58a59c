#include "tools/duet_lab/replicate/replicate_statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "duetbench/record/robust.h"

namespace duetbench::lab {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kPlainLevel = 0.99;

double HalfWidth(const Observation& replication) {
  return replication.lo > 0 ? 0.5 * std::log(replication.hi / replication.lo)
                            : std::numeric_limits<double>::infinity();
}

// The half-width of the interval : its standard error.
double Quantile(const Observation& replication) {
  const double p = 0.5 * (1 + replication.level);
  if (replication.runs < 2) return boost::math::quantile(boost::math::normal(), p);
  return boost::math::quantile(boost::math::students_t(replication.runs - 1.0), p);
}

// The interval of a standard deviation : a known one, of which `factor` was estimated.
Factor MakeFactor(double factor, double degrees_of_freedom) {
  if (!(degrees_of_freedom >= 1) || !std::isfinite(factor)) {
    return {kNotANumber, kNotANumber, kNotANumber};
  }
  const boost::math::chi_squared distribution(degrees_of_freedom);
  const double tail = 0.5 * (1 - kStatisticsLevel);
  return {
      factor,
      factor * std::sqrt(degrees_of_freedom / boost::math::quantile(distribution, 1 - tail)),
      factor * std::sqrt(degrees_of_freedom / boost::math::quantile(distribution, tail)),
  };
}

Share ShareOf(const std::vector<bool>& contained) {
  return MakeShare(static_cast<int>(std::count(contained.begin(), contained.end(), true)),
                   static_cast<int>(contained.size()));
}

// Weighted by the inverse squares of standard errors.
struct WeightedMean {
  double sum = 0;
  double weights = 0;

  void Add(double value, double error) {
    sum += value / (error * error);
    weights += 1 / (error * error);
  }
  double mean() const { return sum / weights; }
  double error() const { return 1 / std::sqrt(weights); }
};

// Replications with a bounded interval.
struct BoundedRatios {
  std::vector<double> logs;
  std::vector<double> errors;
  std::vector<double> quantiles;

  explicit BoundedRatios(const std::vector<Observation>& replications) {
    for (const Observation& replication : replications) {
      const double quantile = Quantile(replication);
      const double error = HalfWidth(replication) / quantile;
      if (!std::isfinite(error)) continue;
      logs.push_back(std::log(replication.ratio));
      errors.push_back(error);
      quantiles.push_back(quantile);
    }
  }
};

// For each replication, of two at least.
std::vector<bool> FindConsistent(const BoundedRatios& bounded) {
  std::vector<bool> consistent;
  for (std::size_t i = 0; i < bounded.logs.size(); ++i) {
    WeightedMean others;
    for (std::size_t j = 0; j < bounded.logs.size(); ++j) {
      if (j != i) others.Add(bounded.logs[j], bounded.errors[j]);
    }
    consistent.push_back(std::abs(bounded.logs[i] - others.mean()) <=
                         bounded.quantiles[i] * std::hypot(bounded.errors[i], others.error()));
  }
  return consistent;
}

Factor OverdispersionOf(const BoundedRatios& bounded) {
  WeightedMean all;
  for (std::size_t i = 0; i < bounded.logs.size(); ++i) all.Add(bounded.logs[i], bounded.errors[i]);
  double squares = 0;
  for (std::size_t i = 0; i < bounded.logs.size(); ++i) {
    squares += std::pow((bounded.logs[i] - all.mean()) / bounded.errors[i], 2);
  }
  const double degrees_of_freedom = static_cast<double>(bounded.logs.size()) - 1;
  return MakeFactor(std::sqrt(squares / degrees_of_freedom), degrees_of_freedom);
}

Contradictions CountContradictions(const std::vector<Observation>& replications, double ratio) {
  const auto count = [&](auto condition) {
    return static_cast<int>(std::count_if(replications.begin(), replications.end(), condition));
  };
  const auto passes = [&](double limit) {
    return count([&](const Observation& replication) { return replication.hi < limit; });
  };
  const auto fails = [&](double limit) {
    return count([&](const Observation& replication) { return replication.lo > limit; });
  };
  const double above = ratio * std::exp(kSmallDifference);
  const double below = ratio * std::exp(-kSmallDifference);
  Contradictions found;
  found.verdicts =
      count([](const Observation& replication) { return replication.verdict == "FASTER"; }) *
      count([](const Observation& replication) { return replication.verdict == "SLOWER"; });
  found.gates = passes(above) * fails(above) + passes(below) * fails(below);
  found.wrong_gates = fails(above) + passes(below);
  return found;
}

}  // namespace

Share MakeShare(int count, int of) {
  using boost::math::binomial;
  constexpr double kTail = (1 - kStatisticsLevel) / 2;
  Share share{count, of};
  if (count > 0) share.lo = binomial::find_lower_bound_on_p(of, count, kTail);
  if (count < of) share.hi = binomial::find_upper_bound_on_p(of, count, kTail);
  return share;
}

PlainStatistics SummarizePlain(absl::Span<const PlainVisit> visits) {
  std::vector<double> logs;
  for (const PlainVisit& visit : visits) {
    if (!(visit.old_ns > 0) || !(visit.new_ns > 0)) continue;
    logs.push_back(std::log(visit.new_ns / visit.old_ns));
  }
  PlainStatistics plain;
  plain.visits = static_cast<int>(logs.size());
  if (logs.empty()) {
    plain.ratio = plain.lo = plain.hi = kNotANumber;
    return plain;
  }
  std::sort(logs.begin(), logs.end());
  plain.ratio = std::exp(stats::Median(logs));
  // The interval between the order statistics i and n + 1 - i misses the median with the
  // probability that fewer than i of n values are on one side of it.
  const boost::math::binomial sides(plain.visits, 0.5);
  std::size_t outside = 0;  // values outside of the interval at each end
  while (2 * (outside + 1) < logs.size() &&
         2 * boost::math::cdf(sides, static_cast<double>(outside)) <= 1 - kPlainLevel) {
    ++outside;
  }
  // Now `outside` is i, and the next larger i would miss too often.
  const std::size_t first = outside == 0 ? 0 : outside - 1;
  plain.lo = std::exp(logs[first]);
  plain.hi = std::exp(logs[logs.size() - 1 - first]);
  return plain;
}

PairStatistics SummarizeReplications(absl::Span<const Observation> replications) {
  PairStatistics result;
  std::vector<Observation> usable;
  std::vector<double> logs;
  std::vector<double> half_widths;
  for (const Observation& replication : replications) {
    if (!replication.error.empty() || !(replication.ratio > 0)) {
      ++result.errors;
      continue;
    }
    usable.push_back(replication);
    logs.push_back(std::log(replication.ratio));
    half_widths.push_back(HalfWidth(replication));
  }
  result.replications = static_cast<int>(usable.size());
  if (usable.empty()) {
    result.ratio = result.min = result.max = kNotANumber;
    result.half_width = kNotANumber;
    result.overdispersion = MakeFactor(kNotANumber, 0);
    return result;
  }
  result.ratio = std::exp(stats::Mean(logs));
  result.min = std::exp(*std::min_element(logs.begin(), logs.end()));
  result.max = std::exp(*std::max_element(logs.begin(), logs.end()));
  result.half_width = stats::Median(half_widths);
  const BoundedRatios bounded(usable);
  if (bounded.logs.size() >= 2) result.consistent = ShareOf(FindConsistent(bounded));
  result.overdispersion = OverdispersionOf(bounded);
  result.contradictions = CountContradictions(usable, result.ratio);
  return result;
}

Agreement CompareWithPlain(const PairStatistics& replications, const PlainStatistics& plain) {
  const double difference = std::log(replications.ratio / plain.ratio);
  return {difference, std::abs(difference) <= kSmallDifference ||
                          (std::abs(difference) <= replications.half_width &&
                           plain.lo <= replications.ratio && replications.ratio <= plain.hi)};
}

SetStatistics SummarizeSet(absl::Span<const PairStatistics> pairs) {
  SetStatistics set;
  set.pairs = static_cast<int>(pairs.size());
  std::vector<double> factors;
  std::vector<double> half_widths;
  int consistent = 0;
  int compared = 0;
  int with_plain = 0;
  int inside = 0;
  double squares = 0;
  double degrees_of_freedom = 0;
  set.worst = kNotANumber;
  for (const PairStatistics& pair : pairs) {
    set.errors += pair.errors;
    with_plain += std::isfinite(pair.to_plain.difference) ? 1 : 0;
    inside += pair.to_plain.inside ? 1 : 0;
    consistent += pair.consistent.count;
    compared += pair.consistent.of;
    if (pair.replications > 0) half_widths.push_back(pair.half_width);
    set.contradictions.verdicts += pair.contradictions.verdicts;
    set.contradictions.gates += pair.contradictions.gates;
    set.contradictions.wrong_gates += pair.contradictions.wrong_gates;
    const double factor = pair.overdispersion.value;
    if (!std::isfinite(factor)) continue;
    factors.push_back(factor);
    squares += factor * factor * (pair.replications - 1);
    degrees_of_freedom += pair.replications - 1;
    set.worst = std::isnan(set.worst) ? factor : std::max(set.worst, factor);
  }
  set.consistent = MakeShare(consistent, compared);
  set.agree = MakeShare(inside, with_plain);
  set.geometric_mean = GeometricMean(factors);
  set.pooled = MakeFactor(std::sqrt(squares / degrees_of_freedom), degrees_of_freedom);
  set.median_half_width = half_widths.empty() ? kNotANumber : stats::Median(half_widths);
  return set;
}

}  // namespace duetbench::lab
