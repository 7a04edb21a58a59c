#include "tools/stats/rules/decision_rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/hierarchical_interval.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::stats {
namespace {

constexpr double kAlpha = 0.05;        // of all rules but the duet's
constexpr double kOutlierFactor = 10;  // Laaber et al.

std::vector<double> AllTimes(const Sample& sample) {
  std::vector<double> all;
  for (const std::vector<double>& run : sample.runs) all.insert(all.end(), run.begin(), run.end());
  return all;
}

std::vector<double> RunAverages(const Sample& sample, Average average) {
  std::vector<double> averages;
  averages.reserve(sample.runs.size());
  for (const std::vector<double>& run : sample.runs) averages.push_back(AverageOf(run, average));
  return averages;
}

// InvalidArgument if the rank-sum test cannot find a difference, as its least p is 2 / C(n+m, n).
absl::Status CheckRanks(std::size_t n, std::size_t m) {
  double least_p = 2;
  for (std::size_t k = 1; k <= n; ++k) {
    least_p *= static_cast<double>(k) / static_cast<double>(m + k);
  }
  if (least_p <= kAlpha) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a rank-sum test of ", n, " and ", m, " values has no p of at most ", kAlpha));
}

// InvalidArgument if a variant has a single value, of which no resample has a spread.
absl::Status CheckSpread(const Sample& old_times, const Sample& new_times) {
  for (const Sample* sample : {&old_times, &new_times}) {
    if (sample->runs.size() == 1 && sample->runs[0].size() == 1) {
      return absl::InvalidArgumentError("a bootstrap needs two values of each variant");
    }
  }
  return absl::OkStatus();
}

Sample SampleOf(absl::Span<const RunPairs> runs, double Pair::*time) {
  Sample sample;
  sample.runs.reserve(runs.size());
  for (const RunPairs& run : runs) {
    std::vector<double>& times = sample.runs.emplace_back();
    times.reserve(run.size());
    for (const Pair& pair : run) times.push_back(pair.*time);
  }
  return sample;
}

absl::Status CheckSamples(const Sample& old_times, const Sample& new_times) {
  if (absl::Status status = CheckSample(old_times); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("old: ", status.message()));
  }
  if (absl::Status status = CheckSample(new_times); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("new: ", status.message()));
  }
  return absl::OkStatus();
}

// `larger` says that new is above old; for rates that is faster.
Change Direction(bool larger, Average average = Average::kArithmetic) {
  return larger == (average == Average::kArithmetic) ? Change::kSlower : Change::kFaster;
}

Change Significant(const TTest& test, Average average) {
  if (test.p > kAlpha || test.difference == 0) return Change::kNone;
  return Direction(test.difference > 0, average);
}

}  // namespace

absl::string_view ChangeName(Change change) {
  switch (change) {
    case Change::kSlower:
      return "slower";
    case Change::kFaster:
      return "faster";
    case Change::kNone:
      break;
  }
  return "no difference";
}

absl::Status CheckSample(const Sample& sample) {
  if (sample.runs.empty()) return absl::InvalidArgumentError("there are no runs");
  if (!sample.machine.empty() && sample.machine.size() != sample.runs.size()) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", sample.runs.size(), " runs but ",
                                                   sample.machine.size(), " machine numbers"));
  }
  for (std::size_t r = 0; r < sample.runs.size(); ++r) {
    if (sample.runs[r].empty()) {
      return absl::InvalidArgumentError(absl::StrCat("run ", r, " has no iterations"));
    }
    for (std::size_t i = 0; i < sample.runs[r].size(); ++i) {
      const double time = sample.runs[r][i];
      if (!(time > 0) || !std::isfinite(time)) {
        return absl::InvalidArgumentError(absl::StrCat("run ", r, ", iteration ", i, ": the time ",
                                                       time, " is not positive and finite"));
      }
    }
  }
  return absl::OkStatus();
}

Sample OldSample(absl::Span<const RunPairs> runs) { return SampleOf(runs, &Pair::old_time); }

Sample NewSample(absl::Span<const RunPairs> runs) { return SampleOf(runs, &Pair::new_time); }

std::size_t DropTenfoldOutliers(Sample& sample) {
  const double limit = kOutlierFactor * Median(AllTimes(sample));
  std::size_t dropped = 0;
  Sample kept;
  for (std::size_t r = 0; r < sample.runs.size(); ++r) {
    std::vector<double>& run = sample.runs[r];
    const auto end =
        std::remove_if(run.begin(), run.end(), [&](double time) { return time > limit; });
    dropped += static_cast<std::size_t>(run.end() - end);
    run.erase(end, run.end());
    if (run.empty()) continue;
    kept.runs.push_back(std::move(run));
    if (!sample.machine.empty()) kept.machine.push_back(sample.machine[r]);
  }
  sample = std::move(kept);
  return dropped;
}

RuleDecision DuetRule(const RatioInterval& interval) {
  RuleDecision rule{"duet", Change::kNone, std::nullopt, interval.ratio};
  if (interval.lo > 1) rule.decision = Change::kSlower;
  if (interval.hi < 1) rule.decision = Change::kFaster;
  return rule;
}

absl::StatusOr<RuleDecision> WilcoxonRule(const Sample& old_times, const Sample& new_times,
                                          double min_delta) {
  if (absl::Status status = CheckSamples(old_times, new_times); !status.ok()) return status;
  const std::vector<double> old_all = AllTimes(old_times);
  const std::vector<double> new_all = AllTimes(new_times);
  if (absl::Status status = CheckRanks(old_all.size(), new_all.size()); !status.ok()) {
    return status;
  }
  const double p = WilcoxonRankSum(new_all, old_all).p;
  const double delta = CliffsDelta(new_all, old_all);
  const bool differs = p <= kAlpha && std::fabs(delta) >= min_delta;
  return RuleDecision{"wilcoxon", differs ? Direction(delta > 0) : Change::kNone, p, delta};
}

absl::StatusOr<Ends> HierarchicalMeanInterval(const Sample& times, double level,
                                              const Resampling& resampling) {
  if (absl::Status status = CheckSample(times); !status.ok()) return status;
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckResampling(resampling); !status.ok()) return status;
  std::vector<ResampledRun> runs;
  runs.reserve(times.runs.size());
  for (const std::vector<double>& run : times.runs) runs.emplace_back(absl::MakeConstSpan(run));
  std::vector<double> replicates =
      HierarchicalReplicates(std::move(runs), times.machine, resampling);
  std::sort(replicates.begin(), replicates.end());
  return PercentileEnds(replicates, level);
}

absl::StatusOr<RuleDecision> OverlapRule(const Sample& old_times, const Sample& new_times,
                                         const Resampling& resampling) {
  if (absl::Status status = CheckSamples(old_times, new_times); !status.ok()) return status;
  if (absl::Status status = CheckSpread(old_times, new_times); !status.ok()) return status;
  const absl::StatusOr<Ends> old_mean = HierarchicalMeanInterval(old_times, 1 - kAlpha, resampling);
  if (!old_mean.ok()) return old_mean.status();
  // Another seed: with the same one the replicates of two alike samples would move together.
  const Resampling other{resampling.replicates, resampling.seed + 1};
  const absl::StatusOr<Ends> new_mean = HierarchicalMeanInterval(new_times, 1 - kAlpha, other);
  if (!new_mean.ok()) return new_mean.status();
  const double ratio = Mean(RunAverages(new_times, Average::kArithmetic)) /
                       Mean(RunAverages(old_times, Average::kArithmetic));
  RuleDecision rule{"ci-overlap", Change::kNone, std::nullopt, ratio};
  if (new_mean->lo > old_mean->hi) rule.decision = Change::kSlower;
  if (new_mean->hi < old_mean->lo) rule.decision = Change::kFaster;
  return rule;
}

double AverageOf(absl::Span<const double> values, Average average) {
  Require(!values.empty(), "AverageOf: no values");
  if (average == Average::kArithmetic) return Mean(values);
  double sum = 0;
  for (const double value : values) {
    Require(value > 0, "AverageOf: a harmonic average needs positive values");
    sum += 1 / value;
  }
  return static_cast<double>(values.size()) / sum;
}

double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random,
                          int selections, double share) {
  Require(!values.empty() && selections >= 1 && share > 0 && share <= 1,
          "SubSelectionMedian: needs values, a selection and a share in (0, 1]");
  const auto n = values.size();
  // The summand keeps 0.8 * 10 from falling below 8.
  const auto chosen = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::floor(share * static_cast<double>(n) + 1e-9)));
  std::vector<double> deck(values.begin(), values.end());
  std::vector<double> averages;
  averages.reserve(static_cast<std::size_t>(selections));
  for (int selection = 0; selection < selections; ++selection) {
    // The first `chosen` places of a random order; the deck need not be put back in order.
    for (std::size_t i = 0; i < chosen; ++i) {
      std::swap(deck[i], deck[i + static_cast<std::size_t>(random.Below(n - i))]);
    }
    averages.push_back(AverageOf(absl::MakeConstSpan(deck).first(chosen), average));
  }
  return Median(std::move(averages));
}

absl::StatusOr<RuleDecision> WelchRule(const Sample& old_times, const Sample& new_times,
                                       Average average) {
  if (absl::Status status = CheckSamples(old_times, new_times); !status.ok()) return status;
  const bool by_run = old_times.runs.size() >= 2 && new_times.runs.size() >= 2;
  const std::vector<double> old_values =
      by_run ? RunAverages(old_times, average) : AllTimes(old_times);
  const std::vector<double> new_values =
      by_run ? RunAverages(new_times, average) : AllTimes(new_times);
  if (old_values.size() < 2 || new_values.size() < 2) {
    return absl::InvalidArgumentError("Welch's test needs two values of each variant");
  }
  const TTest test = WelchTTest(new_values, old_values);
  return RuleDecision{"welch", Significant(test, average), test.p,
                      AverageOf(new_values, average) / AverageOf(old_values, average)};
}

absl::StatusOr<RuleDecision> MmtestsRule(const Sample& old_times, const Sample& new_times,
                                         std::uint64_t seed, Average average) {
  if (absl::Status status = CheckSamples(old_times, new_times); !status.ok()) return status;
  Random random(seed);
  const auto run_values = [&](const Sample& sample) {
    std::vector<double> values;
    values.reserve(sample.runs.size());
    for (const std::vector<double>& run : sample.runs) {
      values.push_back(SubSelectionMedian(run, average, random));
    }
    return values;
  };
  const std::vector<double> old_values = run_values(old_times);
  const std::vector<double> new_values = run_values(new_times);
  if (old_values.size() < 2 || new_values.size() < 2) {
    return absl::InvalidArgumentError("MMTests' test needs two runs of each variant");
  }
  const TTest test = WelchTTest(new_values, old_values);
  return RuleDecision{"mmtests", Significant(test, average), test.p,
                      Mean(new_values) / Mean(old_values)};
}

}  // namespace duetbench::stats
