#include "tools/duet_lab/replicate/replicate_statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "duetbench/record/robust.h"

namespace duetbench::lab {
namespace {

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
  if (!(degrees_of_freedom >= 1) || !std::isfinite(factor)) return Factor();
  const boost::math::chi_squared distribution(degrees_of_freedom);
  const double tail = 0.5 * (1 - kStatisticsLevel);
  return {
      factor,
      factor * std::sqrt(degrees_of_freedom / boost::math::quantile(distribution, 1 - tail)),
      factor * std::sqrt(degrees_of_freedom / boost::math::quantile(distribution, tail)),
      degrees_of_freedom,
  };
}

// The root mean square of factors.
class PooledFactor {
 public:
  void Add(const Factor& factor) {
    if (!std::isfinite(factor.value)) return;
    squares_ += factor.value * factor.value * factor.degrees_of_freedom;
    degrees_of_freedom_ += factor.degrees_of_freedom;
  }
  Factor Get() const {
    return MakeFactor(std::sqrt(squares_ / degrees_of_freedom_), degrees_of_freedom_);
  }

 private:
  double squares_ = 0;
  double degrees_of_freedom_ = 0;
};

// The logarithm of a ratio.
struct LogRatio {
  double value;
  double error;     // its standard error
  double quantile;  // half-width of its interval : error
  int link;
};

// Replications with a bounded interval.
std::vector<LogRatio> BoundedRatios(const std::vector<Observation>& replications) {
  std::vector<LogRatio> bounded;
  for (const Observation& replication : replications) {
    const double quantile = Quantile(replication);
    const double error = HalfWidth(replication) / quantile;
    if (!std::isfinite(error)) continue;
    bounded.push_back({std::log(replication.ratio), error, quantile, replication.link});
  }
  return bounded;
}

// Weighted by the inverse squares of standard errors.
struct WeightedMean {
  double sum = 0;
  double weights = 0;

  void Add(const LogRatio& ratio) {
    sum += ratio.value / (ratio.error * ratio.error);
    weights += 1 / (ratio.error * ratio.error);
  }
  double mean() const { return sum / weights; }
  double error() const { return 1 / std::sqrt(weights); }
};

// The weighted mean of each link; its quantile is not set.
std::vector<LogRatio> MeansOfLinks(const std::vector<LogRatio>& ratios) {
  std::map<int, WeightedMean> links;
  for (const LogRatio& ratio : ratios) links[ratio.link].Add(ratio);
  std::vector<LogRatio> means;
  for (const auto& [link, mean] : links) means.push_back({mean.mean(), mean.error(), 0, link});
  return means;
}

Share CountConsistent(const std::vector<LogRatio>& ratios) {
  if (ratios.size() < 2) return Share();
  const bool is_relinked = MeansOfLinks(ratios).size() > 1;
  int consistent = 0;
  for (const LogRatio& ratio : ratios) {
    WeightedMean others;
    for (const LogRatio& other : ratios) {
      if (is_relinked ? other.link != ratio.link : &other != &ratio) others.Add(other);
    }
    const double allowed = ratio.quantile * std::hypot(ratio.error, others.error());
    if (std::abs(ratio.value - others.mean()) <= allowed) ++consistent;
  }
  return MakeShare(consistent, static_cast<int>(ratios.size()));
}

Factor OverdispersionOf(const std::vector<LogRatio>& ratios) {
  WeightedMean all;
  for (const LogRatio& ratio : ratios) all.Add(ratio);
  double squares = 0;
  for (const LogRatio& ratio : ratios) {
    squares += std::pow((ratio.value - all.mean()) / ratio.error, 2);
  }
  const double degrees_of_freedom = static_cast<double>(ratios.size()) - 1;
  return MakeFactor(std::sqrt(squares / degrees_of_freedom), degrees_of_freedom);
}

LinkSpread SpreadOf(const std::vector<LogRatio>& links) {
  if (links.size() < 2) return LinkSpread();
  std::vector<double> means;
  double squares = 0;
  for (const LogRatio& link : links) {
    means.push_back(link.value);
    squares += link.error * link.error;
  }
  return {stats::StandardDeviation(means), std::sqrt(squares / static_cast<double>(links.size())),
          OverdispersionOf(links)};
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
  if (logs.empty()) return plain;
  std::sort(logs.begin(), logs.end());
  plain.ratio = std::exp(Median(logs));
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
  if (usable.empty()) return result;
  result.ratio = std::exp(stats::Mean(logs));
  result.min = std::exp(*std::min_element(logs.begin(), logs.end()));
  result.max = std::exp(*std::max_element(logs.begin(), logs.end()));
  result.half_width = Median(half_widths);
  const std::vector<LogRatio> bounded = BoundedRatios(usable);
  result.consistent = CountConsistent(bounded);
  result.overdispersion = OverdispersionOf(bounded);
  result.between_links = SpreadOf(MeansOfLinks(bounded));
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
  std::vector<double> link_deviations;
  std::vector<double> link_errors;
  PooledFactor pooled;
  PooledFactor pooled_of_links;
  int consistent = 0;
  int compared = 0;
  int with_plain = 0;
  int inside = 0;
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
    if (std::isfinite(pair.between_links.deviation)) {
      link_deviations.push_back(pair.between_links.deviation);
      link_errors.push_back(pair.between_links.error);
      pooled_of_links.Add(pair.between_links.overdispersion);
    }
    const double factor = pair.overdispersion.value;
    if (!std::isfinite(factor)) continue;
    factors.push_back(factor);
    pooled.Add(pair.overdispersion);
    set.worst = std::fmax(set.worst, factor);  // not NaN after the first
  }
  set.consistent = MakeShare(consistent, compared);
  set.agree = MakeShare(inside, with_plain);
  set.geometric_mean = GeometricMean(factors);
  set.pooled = pooled.Get();
  set.median_half_width = Median(half_widths);
  set.between_links = {Median(link_deviations), Median(link_errors), pooled_of_links.Get()};
  return set;
}

}  // namespace duetbench::lab
