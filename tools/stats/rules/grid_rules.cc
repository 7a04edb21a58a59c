#include "tools/stats/rules/grid_rules.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <utility>

#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/bootstrap.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::stats {
namespace {

std::vector<double> Concatenated(const Group& group, double factor) {
  std::vector<double> all;
  for (const PreparedTrial* trial : group.trials) {
    for (const double time : *trial->times) all.push_back(time * factor);
  }
  return all;
}

Sign SignOf(const TTest& test, double alpha) {
  if (test.p > alpha || test.difference == 0) return 0;
  return test.difference > 0 ? 1 : -1;
}

void ApplyWilcoxon(const GridSetting& setting, const Group& test, const Group& control,
                   std::vector<Sign>* signs) {
  const GridOptions& options = *setting.options;
  const std::vector<double> y = Concatenated(control, 1);
  for (const double factor : setting.factors) {
    const std::vector<double> x = Concatenated(test, factor);
    const auto pairs = static_cast<double>(x.size()) * static_cast<double>(y.size());
    // The exact distribution costs O((n m)^2), and differs from the normal one below 20 values.
    const RankTest rank =
        WilcoxonRankSum(x, y, pairs > 400 ? RankMethod::kNormal : RankMethod::kAuto);
    const double p = options.bonferroni ? rank.p * options.resamplings : rank.p;
    const double delta = 2 * rank.statistic / pairs - 1;
    const bool differs = p <= options.alpha && std::fabs(delta) >= options.min_delta;
    signs->push_back(!differs ? 0 : delta > 0 ? 1 : -1);
  }
}

Ends MeanEnds(const Group& group, const GridOptions& options, std::uint64_t seed) {
  std::vector<ResampledRun> runs;
  runs.reserve(group.trials.size());
  for (const PreparedTrial* trial : group.trials) runs.push_back(trial->resampled);
  std::vector<double> replicates =
      HierarchicalReplicates(std::move(runs), group.instance, {options.replicates, seed});
  std::sort(replicates.begin(), replicates.end());
  return PercentileEnds(replicates, 1 - options.alpha);
}

void ApplyOverlap(const GridSetting& setting, const Group& test, const Group& control,
                  Random& random, std::vector<Sign>* signs) {
  const Ends of_test = MeanEnds(test, *setting.options, random.Next());
  const Ends of_control = MeanEnds(control, *setting.options, random.Next());
  // The interval of times that are all multiplied is the interval multiplied.
  for (const double factor : setting.factors) {
    const bool slower = of_test.lo * factor > of_control.hi;
    const bool faster = of_test.hi * factor < of_control.lo;
    signs->push_back(slower ? 1 : faster ? -1 : 0);
  }
}

template <double PreparedTrial::*kValue>
std::vector<double> Values(const Group& group, double factor) {
  std::vector<double> values;
  for (const PreparedTrial* trial : group.trials) values.push_back(trial->*kValue * factor);
  return values;
}

void ApplyWelch(const GridSetting& setting, const Group& test, const Group& control,
                std::vector<Sign>* signs) {
  const bool by_trial = test.trials.size() >= 2;
  const std::vector<double> y =
      by_trial ? Values<&PreparedTrial::mean>(control, 1) : Concatenated(control, 1);
  for (const double factor : setting.factors) {
    const std::vector<double> x =
        by_trial ? Values<&PreparedTrial::mean>(test, factor) : Concatenated(test, factor);
    if (x.size() < 2 || y.size() < 2) {
      signs->push_back(0);
    } else {
      signs->push_back(SignOf(WelchTTest(x, y), setting.options->alpha));
    }
  }
}

void ApplyMmtests(const GridSetting& setting, const Group& test, const Group& control,
                  std::vector<Sign>* signs) {
  const std::vector<double> y = Values<&PreparedTrial::mmtests>(control, 1);
  for (const double factor : setting.factors) {
    const std::vector<double> x = Values<&PreparedTrial::mmtests>(test, factor);
    signs->push_back(SignOf(WelchTTest(x, y), setting.options->alpha));
  }
}

// The mean log time of each instance.
std::vector<double> LogMeans(const Group& group) {
  std::vector<double> sums;
  std::vector<double> counts;
  for (std::size_t i = 0; i < group.trials.size(); ++i) {
    const auto instance = static_cast<std::size_t>(group.instance[i]);
    if (instance >= sums.size()) {
      sums.resize(instance + 1, 0);
      counts.resize(instance + 1, 0);
    }
    sums[instance] += group.trials[i]->log_mean;
    ++counts[instance];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return sums;
}

void ApplyT(const GridSetting& setting, bool paired, const Group& test, const Group& control,
            std::vector<Sign>* signs) {
  std::vector<double> x = LogMeans(test);
  std::vector<double> y = LogMeans(control);
  double center = 0;
  double half_width = 0;
  const bool one_instance = x.size() < 2;
  if (one_instance || !paired) {
    if (one_instance) {
      x = Values<&PreparedTrial::log_mean>(test, 1);
      y = Values<&PreparedTrial::log_mean>(control, 1);
    }
    const TTest welch = WelchTTest(x, y);
    center = welch.difference;
    half_width = welch.standard_error > 0
                     ? welch.standard_error * boost::math::quantile(boost::math::complement(
                                                  boost::math::students_t(welch.degrees_of_freedom),
                                                  setting.options->alpha / 2))
                     : 0;
  } else {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
    const auto n = static_cast<double>(x.size());
    center = Mean(x);
    half_width = StandardDeviation(x) / std::sqrt(n) *
                 boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1),
                                                               setting.options->alpha / 2));
  }
  for (const double factor : setting.factors) {
    const double shifted = center + std::log(factor);
    signs->push_back(std::fabs(shifted) <= half_width ? 0 : shifted > 0 ? 1 : -1);
  }
}

}  // namespace

absl::string_view GridRuleName(GridRule rule) {
  switch (rule) {
    case GridRule::kWilcoxon:
      return "wilcoxon";
    case GridRule::kOverlap:
      return "ci-overlap";
    case GridRule::kWelch:
      return "welch";
    case GridRule::kMmtests:
      return "mmtests";
    case GridRule::kT:
      break;
  }
  return "t";
}

bool RuleApplies(GridRule rule, bool paired, std::size_t instances, std::size_t trials) {
  switch (rule) {
    case GridRule::kWilcoxon:
    case GridRule::kOverlap:
    case GridRule::kWelch:
      return true;
    case GridRule::kMmtests:
      return instances * trials >= 2;
    case GridRule::kT:
      break;
  }
  return instances >= 2 || (paired && trials >= 2);
}

std::vector<Sign> Judge(const GridSetting& setting, GridRule rule, bool paired, const Group& test,
                        const Group& control, Random& random) {
  std::vector<Sign> signs;
  switch (rule) {
    case GridRule::kWilcoxon:
      ApplyWilcoxon(setting, test, control, &signs);
      break;
    case GridRule::kOverlap:
      ApplyOverlap(setting, test, control, random, &signs);
      break;
    case GridRule::kWelch:
      ApplyWelch(setting, test, control, &signs);
      break;
    case GridRule::kMmtests:
      ApplyMmtests(setting, test, control, &signs);
      break;
    case GridRule::kT:
      ApplyT(setting, paired, test, control, &signs);
      break;
  }
  return signs;
}

}  // namespace duetbench::stats
