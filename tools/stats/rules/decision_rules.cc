#include "tools/stats/rules/decision_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"
#include "tools/stats/outliers.h"
#include "tools/stats/two_sample_tests.h"

namespace duetbench::stats {
namespace {

using RuleRuns = std::vector<RuleRun>;
using Decisions = std::vector<RuleDecision>;

constexpr double kMediumDelta = 0.33;

std::vector<double> AllTimes(const Sample& sample) {
  std::vector<double> all;
  for (const std::vector<double>& run : sample.runs) all.insert(all.end(), run.begin(), run.end());
  return all;
}

std::vector<double> AllTimes(const RuleRuns& runs) {
  std::vector<double> all;
  for (const RuleRun& run : runs) all.insert(all.end(), run.times->begin(), run.times->end());
  return all;
}

std::vector<double> Values(const RuleRuns& runs, double RuleRun::*value) {
  std::vector<double> values;
  for (const RuleRun& run : runs) values.push_back(run.*value);
  return values;
}

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

absl::Status CheckSamples(const Sample& old_times, const Sample& new_times) {
  for (const auto& [variant, sample] : {std::pair("old: ", &old_times), {"new: ", &new_times}}) {
    const absl::Status status = CheckSample(*sample);
    if (!status.ok()) return absl::InvalidArgumentError(absl::StrCat(variant, status.message()));
  }
  return absl::OkStatus();
}

Change Significant(const TTest& test, double alpha) {
  if (test.p > alpha || test.difference == 0) return Change::kNone;
  return test.difference > 0 ? Change::kSlower : Change::kFaster;
}

absl::StatusOr<Decisions> JudgeWilcoxon(const RuleRuns& old_runs, const RuleRuns& new_runs,
                                        const std::vector<double>& factors,
                                        const RuleOptions& options) {
  const std::vector<double> y = AllTimes(old_runs);
  const std::vector<double> x = AllTimes(new_runs);
  const auto pairs = static_cast<double>(x.size()) * static_cast<double>(y.size());
  double least_p = 2;  // 2 / C(n+m, n)
  for (std::size_t k = 1; k <= x.size(); ++k) {
    least_p *= static_cast<double>(k) / static_cast<double>(y.size() + k);
  }
  if (least_p > options.alpha) {
    return absl::InvalidArgumentError(absl::StrCat("a rank-sum test of ", y.size(), " and ",
                                                   x.size(), " values has no p of at most ",
                                                   options.alpha));
  }
  Decisions decisions;
  for (const double factor : factors) {
    // The exact distribution costs O((n m)^2), and differs from the normal one below 20 values.
    const RankTest rank = WilcoxonRankSum(Scaled(x, factor), y, /*may_be_exact=*/pairs <= 400);
    const double delta = 2 * rank.statistic / pairs - 1;
    const bool differs = rank.p <= options.alpha && std::fabs(delta) >= kMediumDelta;
    decisions.push_back({!differs    ? Change::kNone
                         : delta > 0 ? Change::kSlower
                                     : Change::kFaster,
                         rank.p, delta});
  }
  return decisions;
}

Ends MeanEnds(const RuleRuns& runs, const RuleOptions& options, std::uint64_t seed) {
  std::vector<std::vector<double>> times;
  std::vector<int> machine;
  for (const RuleRun& run : runs) {
    times.push_back(*run.times);
    machine.push_back(run.machine);
  }
  return PercentileEnds(
      HierarchicalReplicates(times, machine, {options.resampling.replicates, seed}),
      1 - options.alpha);
}

absl::StatusOr<Decisions> JudgeOverlap(const RuleRuns& old_runs, const RuleRuns& new_runs,
                                       const std::vector<double>& factors,
                                       const RuleOptions& options) {
  for (const RuleRuns* runs : {&old_runs, &new_runs}) {
    if (runs->size() == 1 && runs->front().times->size() == 1) {
      return absl::InvalidArgumentError("a bootstrap needs two values of each variant");
    }
  }
  // Two seeds: with one the replicates of two alike samples would move together.
  const Ends of_old = MeanEnds(old_runs, options, options.resampling.seed);
  const Ends of_new = MeanEnds(new_runs, options, options.resampling.seed + 1);
  const double ratio =
      Mean(Values(new_runs, &RuleRun::average)) / Mean(Values(old_runs, &RuleRun::average));
  Decisions decisions;
  // The interval of times that are all multiplied is the interval multiplied.
  for (const double factor : factors) {
    const Change change = of_new.lo * factor > of_old.hi   ? Change::kSlower
                          : of_new.hi * factor < of_old.lo ? Change::kFaster
                                                           : Change::kNone;
    decisions.push_back({change, std::nullopt, ratio * factor});
  }
  return decisions;
}

absl::StatusOr<Decisions> JudgeMeans(Rule rule, const RuleRuns& old_runs, const RuleRuns& new_runs,
                                     const std::vector<double>& factors,
                                     const RuleOptions& options) {
  const bool by_run = rule == Rule::kMmtests || (old_runs.size() >= 2 && new_runs.size() >= 2);
  const auto value = rule == Rule::kMmtests ? &RuleRun::sub_selection : &RuleRun::average;
  const std::vector<double> y = by_run ? Values(old_runs, value) : AllTimes(old_runs);
  const std::vector<double> x = by_run ? Values(new_runs, value) : AllTimes(new_runs);
  if (x.size() < 2 || y.size() < 2) {
    return absl::InvalidArgumentError(rule == Rule::kMmtests
                                          ? "MMTests' test needs two runs of each variant"
                                          : "Welch's test needs two values of each variant");
  }
  Decisions decisions;
  for (const double factor : factors) {
    const TTest test = WelchTTest(Scaled(x, factor), y);
    decisions.push_back({Significant(test, options.alpha), test.p,
                         factor * AverageOf(x, options.average) / AverageOf(y, options.average)});
  }
  return decisions;
}

// The mean log average of each machine, or of each run where there is one machine.
std::vector<double> LogAverages(const RuleRuns& runs, bool by_machine) {
  std::map<int, std::vector<double>> groups;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    groups[by_machine ? runs[r].machine : static_cast<int>(r)].push_back(std::log(runs[r].average));
  }
  std::vector<double> averages;
  for (const auto& [group, logs] : groups) averages.push_back(Mean(logs));
  return averages;
}

absl::StatusOr<Decisions> JudgeT(const RuleRuns& old_runs, const RuleRuns& new_runs,
                                 const std::vector<double>& factors, const RuleOptions& options) {
  const bool by_machine = LogAverages(new_runs, true).size() > 1;
  std::vector<double> x = LogAverages(new_runs, by_machine);
  const std::vector<double> y = LogAverages(old_runs, by_machine);
  if (x.size() < 2 || y.size() < 2) {
    return absl::InvalidArgumentError("a t interval needs two runs of each variant");
  }
  TTest base{};
  if (by_machine && options.same_machines) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
    base = PairedTTest(x);
  } else {
    base = WelchTTest(x, y);
  }
  Decisions decisions;
  for (const double factor : factors) {
    const TTest test =
        MakeTTest(base.difference + std::log(factor), base.standard_error, base.degrees_of_freedom);
    decisions.push_back({Significant(test, options.alpha), test.p, std::exp(test.difference)});
  }
  return decisions;
}

}  // namespace

absl::string_view ChangeName(Change change) {
  if (change == Change::kNone) return "no difference";
  return change == Change::kSlower ? "slower" : "faster";
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
      if (time > 0 && std::isfinite(time)) continue;
      return absl::InvalidArgumentError(absl::StrCat("run ", r, ", iteration ", i, ": the time ",
                                                     time, " is not positive and finite"));
    }
  }
  return absl::OkStatus();
}

Sample SampleOf(absl::Span<const RunPairs> runs, double Pair::*time) {
  Sample sample;
  for (const RunPairs& run : runs) {
    std::vector<double>& times = sample.runs.emplace_back();
    times.reserve(run.size());
    for (const Pair& pair : run) times.push_back(pair.*time);
  }
  return sample;
}

std::size_t DropTenfoldOutliers(Sample& sample) {
  const double limit = 10 * Median(AllTimes(sample));
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

double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random) {
  constexpr int kSelections = 100;
  constexpr double kShare = 0.8;
  Require(!values.empty(), "SubSelectionMedian: no values");
  const auto n = values.size();
  // The summand keeps 0.8 * 10 from falling below 8.
  const auto chosen = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::floor(kShare * static_cast<double>(n) + 1e-9)));
  std::vector<double> deck(values.begin(), values.end());
  std::vector<double> averages;
  for (int selection = 0; selection < kSelections; ++selection) {
    // The first `chosen` places of a random order; the deck need not be put back in order.
    for (std::size_t i = 0; i < chosen; ++i) {
      std::swap(deck[i], deck[i + static_cast<std::size_t>(random.Below(n - i))]);
    }
    averages.push_back(AverageOf(absl::MakeConstSpan(deck).first(chosen), average));
  }
  return Median(std::move(averages));
}

RuleDecision DuetRule(const RatioInterval& interval) {
  const Change change = interval.lo > 1   ? Change::kSlower
                        : interval.hi < 1 ? Change::kFaster
                                          : Change::kNone;
  return {change, std::nullopt, interval.ratio};
}

RuleRun MakeRuleRun(const std::vector<double>& times, int machine, Average average,
                    Random& random) {
  return {&times, machine, AverageOf(times, average), SubSelectionMedian(times, average, random)};
}

absl::StatusOr<Decisions> JudgeRuns(Rule rule, const RuleRuns& old_runs, const RuleRuns& new_runs,
                                    const std::vector<double>& factors,
                                    const RuleOptions& options) {
  switch (rule) {
    case Rule::kWilcoxon:
      return JudgeWilcoxon(old_runs, new_runs, factors, options);
    case Rule::kOverlap:
      return JudgeOverlap(old_runs, new_runs, factors, options);
    case Rule::kWelch:
    case Rule::kMmtests:
      return JudgeMeans(rule, old_runs, new_runs, factors, options);
    case Rule::kT:
      return JudgeT(old_runs, new_runs, factors, options);
    case Rule::kDuet:
      break;
  }
  return absl::InvalidArgumentError("the rule 'duet' needs pairs");
}

absl::StatusOr<RuleDecision> ApplyRule(Rule rule, const Sample& old_times, const Sample& new_times,
                                       const RuleOptions& options) {
  absl::Status status = CheckSamples(old_times, new_times);
  if (status.ok()) status = CheckResampling(options.resampling);
  if (!status.ok()) return status;
  Random random(options.resampling.seed);
  const auto runs_of = [&](const Sample& sample) {
    RuleRuns runs;
    for (std::size_t r = 0; r < sample.runs.size(); ++r) {
      runs.push_back(MakeRuleRun(sample.runs[r], sample.machine.empty() ? 0 : sample.machine[r],
                                 options.average, random));
    }
    return runs;
  };
  const RuleRuns old_runs = runs_of(old_times);
  absl::StatusOr<Decisions> judged = JudgeRuns(rule, old_runs, runs_of(new_times), {1}, options);
  if (!judged.ok()) return judged.status();
  RuleDecision decision = judged->front();
  if (options.average == Average::kHarmonic && decision.decision != Change::kNone) {
    decision.decision = decision.decision == Change::kSlower ? Change::kFaster : Change::kSlower;
  }
  return decision;
}

absl::StatusOr<MeansDifference> DifferenceOfMeans(const Sample& old_times, const Sample& new_times,
                                                  double level, const Resampling& resampling,
                                                  bool winsorize) {
  absl::Status status = CheckSamples(old_times, new_times);
  if (status.ok()) status = CheckLevel(level);
  if (status.ok()) status = CheckResampling(resampling);
  if (!status.ok()) return status;
  if (old_times.runs.size() < 2 || new_times.runs.size() < 2) {
    return absl::InvalidArgumentError("the difference of means needs two runs of each variant");
  }
  double sum = 0;
  double count = 0;
  const auto means_of = [&](const Sample& sample) {
    std::vector<double> means;
    for (std::vector<double> run : sample.runs) {
      if (const auto outlier = winsorize ? FindOutlier(run) : std::nullopt) {
        run[outlier->index] = outlier->replacement;
      }
      means.push_back(Mean(run));
      sum += means.back() * static_cast<double>(run.size());
      count += static_cast<double>(run.size());
    }
    return means;
  };
  const std::vector<double> old_means = means_of(old_times);
  const std::vector<double> new_means = means_of(new_times);
  const double mean = sum / count;
  // Two streams of one seed: each variant is resampled on its own.
  Random old_random(resampling.seed, 0);
  Random new_random(resampling.seed, 1);
  std::vector<double> replicates = MeanReplicates(new_means, resampling.replicates, new_random);
  const std::vector<double> of_old = MeanReplicates(old_means, resampling.replicates, old_random);
  for (std::size_t i = 0; i < replicates.size(); ++i) replicates[i] -= of_old[i];
  const Ends ends = PercentileEnds(std::move(replicates), level);
  return MeansDifference{(Mean(new_means) - Mean(old_means)) / mean, ends.lo / mean, ends.hi / mean,
                         mean, level};
}

}  // namespace duetbench::stats
