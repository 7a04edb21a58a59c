#include "tools/duet_stat/comparison.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/record/robust.h"
#include "tools/stats/rules/instances.h"

namespace duetbench::duet_stat {
namespace {

constexpr std::size_t kVariationReplicates = 1000;  // the paper's

const BenchmarkTimes* FindTimes(const TimesData& data, const std::string& name) {
  const auto it = std::find_if(data.benchmarks.begin(), data.benchmarks.end(),
                               [&](const BenchmarkTimes& times) { return times.name == name; });
  return it == data.benchmarks.end() ? nullptr : &*it;
}

stats::Average AverageFor(const Options& options) {
  return options.rates ? stats::Average::kHarmonic : stats::Average::kArithmetic;
}

SideSummary Summarize(const stats::Sample& sample, const Options& options) {
  std::vector<double> all;
  for (const std::vector<double>& run : sample.runs) all.insert(all.end(), run.begin(), run.end());
  const auto [min, max] = std::minmax_element(all.begin(), all.end());
  const double deviation = all.size() < 2 ? 0 : stats::StandardDeviation(all);
  return {sample.runs.size(), all.size(), *min,      stats::AverageOf(all, AverageFor(options)),
          stats::Median(all), *max,       deviation, deviation / stats::Mean(all)};
}

// Says which benchmarks of `data`, of the file `name`, the other file lacks.
void NoteUnmatched(const TimesData& data, const std::string& name, const TimesData& other,
                   std::vector<std::string>* notices) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const BenchmarkTimes& times : data.benchmarks) {
    if (FindTimes(other, times.name) == nullptr)
      names.push_back(absl::StrCat("'", times.name, "'"));
  }
  const std::size_t count = names.size();
  if (count == 0) return;
  names.resize(std::min(count, kNamed));
  notices->push_back(absl::StrCat(
      count, count == 1 ? " benchmark is" : " benchmarks are", " only in ", name,
      " and not compared: ", absl::StrJoin(names, ", "), count > kNamed ? ", ..." : ""));
}

}  // namespace

AppliedRules ApplyRules(const std::vector<stats::Rule>& rules, const stats::Sample& old_times,
                        const stats::Sample& new_times, const Options& options) {
  const auto is_of_laaber = [](stats::Rule rule) {
    return rule == stats::Rule::kWilcoxon || rule == stats::Rule::kOverlap;
  };
  stats::RuleOptions rule_options;
  rule_options.average = AverageFor(options);
  rule_options.resampling = options.resampling;
  AppliedRules applied;
  stats::Sample trimmed_old;
  stats::Sample trimmed_new;
  if (std::any_of(rules.begin(), rules.end(), is_of_laaber)) {
    trimmed_old = old_times;
    trimmed_new = new_times;
    const std::size_t dropped_old = stats::DropTenfoldOutliers(trimmed_old);
    const std::size_t dropped_new = stats::DropTenfoldOutliers(trimmed_new);
    if (dropped_old + dropped_new > 0) {
      applied.notices.push_back(
          absl::StrCat("wilcoxon and ci-overlap leave out ", dropped_old, " old and ", dropped_new,
                       " new times above ten times the median of their variant, as in the paper"));
    }
  }
  for (const stats::Rule rule : rules) {
    const bool trimmed = is_of_laaber(rule);
    applied.rules.push_back(
        {rule, stats::ApplyRule(rule, trimmed ? trimmed_old : old_times,
                                trimmed ? trimmed_new : new_times, rule_options)});
  }
  return applied;
}

absl::StatusOr<UnpairedResult> CompareTimes(const std::vector<TimesData>& data,
                                            const std::vector<std::string>& files,
                                            const Options& options) {
  UnpairedResult result;
  result.files = files;
  const TimesData& old_data = data[0];
  const TimesData& new_data = data[1];
  for (const TimesData& each : data) {
    for (const std::string& notice : each.notices) {
      if (std::count(result.notices.begin(), result.notices.end(), notice) == 0) {
        result.notices.push_back(notice);
      }
    }
  }
  if (old_data.machine != new_data.machine && !old_data.machine.empty() &&
      !new_data.machine.empty()) {
    result.notices.push_back(absl::StrCat(
        files[0], " and ", files[1], " were measured on two machines, '", old_data.machine,
        "' and '", new_data.machine, "': the difference may be theirs"));
  }
  for (const BenchmarkTimes& old_side : old_data.benchmarks) {
    const BenchmarkTimes* const new_side = FindTimes(new_data, old_side.name);
    if (new_side == nullptr) continue;
    const stats::Sample& a = old_side.sample;
    const stats::Sample& b = new_side->sample;
    ComparedBenchmark& compared = result.benchmarks.emplace_back();
    compared.name = old_side.name;
    compared.sides[0] = Summarize(a, options);
    compared.sides[1] = Summarize(b, options);
    compared.applied = ApplyRules(options.rules, a, b, options);
    if (options.difference_of_means) {
      compared.means =
          stats::DifferenceOfMeans(a, b, options.level, options.resampling, options.winsorize);
    }
  }
  if (result.benchmarks.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        files[0], " and ", files[1], " have no benchmark in common: '", old_data.benchmarks[0].name,
        "' there, '", new_data.benchmarks[0].name, "' here"));
  }
  NoteUnmatched(old_data, files[0], new_data, &result.notices);
  NoteUnmatched(new_data, files[1], old_data, &result.notices);
  return result;
}

stats::GridOptions GridOptionsOf(const Options& options) {
  stats::GridOptions grid = options.grid_options;
  grid.seed = options.resampling.seed;
  if (options.mds) grid.slowdowns = stats::PaperSlowdowns();
  if (!options.rules.empty()) grid.rules = options.rules;
  if (std::count(grid.rules.begin(), grid.rules.end(), stats::Rule::kT) == 0) {
    grid.rules.push_back(stats::Rule::kT);
  }
  return grid;
}

void EvaluateTimes(TimesData times, const Options& options, GridResult* result) {
  for (std::string& notice : times.notices) result->notices.push_back(std::move(notice));
  for (BenchmarkTimes& benchmark : times.benchmarks) {
    GridBenchmark& evaluated = result->benchmarks.emplace_back();
    evaluated.name = std::move(benchmark.name);
    evaluated.dropped = stats::DropTenfoldOutliers(benchmark.sample);
    for (const std::vector<double>& run : benchmark.sample.runs) evaluated.times += run.size();
    const absl::StatusOr<stats::Instances> all = stats::GroupByInstance(benchmark.sample);
    if (!all.ok()) {
      evaluated.error = std::string(all.status().message());
      continue;
    }
    evaluated.instances = all->times.size();
    evaluated.trials = all->Trials();
    evaluated.variability =
        stats::MeasureVariability(*all, kVariationReplicates, options.resampling.seed);
    absl::StatusOr<std::vector<stats::GridCell>> cells =
        stats::EvaluateGrid(*all, GridOptionsOf(options));
    if (cells.ok()) {
      evaluated.cells = *std::move(cells);
    } else {
      evaluated.error = std::string(cells.status().message());
    }
  }
}

}  // namespace duetbench::duet_stat
