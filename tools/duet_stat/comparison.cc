#include "tools/duet_stat/comparison.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_stat/input/csv_reader.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::duet_stat {
namespace {

const BenchmarkTimes* Find(const TimesData& data, const std::string& name) {
  const auto it = std::find_if(data.benchmarks.begin(), data.benchmarks.end(),
                               [&](const BenchmarkTimes& times) { return times.name == name; });
  return it == data.benchmarks.end() ? nullptr : &*it;
}

SideSummary Summarize(const stats::Sample& sample, bool rates) {
  std::vector<double> all;
  for (const std::vector<double>& run : sample.runs) all.insert(all.end(), run.begin(), run.end());
  const auto [min, max] = std::minmax_element(all.begin(), all.end());
  const double deviation = all.size() < 2 ? 0 : stats::StandardDeviation(all);
  const stats::Average average = rates ? stats::Average::kHarmonic : stats::Average::kArithmetic;
  return {sample.runs.size(), all.size(), *min,      stats::AverageOf(all, average),
          stats::Median(all), *max,       deviation, deviation / stats::Mean(all)};
}

void AddMds(stats::Sample sample, const Options& options, ComparedBenchmark* compared) {
  stats::GridOptions grid = options.grid_options;
  grid.rules = GridRulesFor(options.rules);
  grid.slowdowns = stats::PaperSlowdowns();
  grid.seed = options.resampling.seed;
  // A slow-down divides a rate by what it multiplies a time with.
  for (std::vector<double>& run : sample.runs) {
    for (double& time : run) time = options.rates ? 1 / time : time;
  }
  const absl::StatusOr<stats::Instances> all = stats::GroupByInstance(sample);
  const absl::StatusOr<std::vector<stats::GridCell>> cells =
      all.ok() ? stats::EvaluateAsDrawn(*all, grid) : all.status();
  if (!cells.ok()) {
    compared->mds_error = std::string(cells.status().message());
    return;
  }
  for (const stats::GridCell& cell : *cells) {
    compared->mds.push_back({std::string(stats::GridRuleName(cell.rule)), cell.resamplings,
                             cell.false_alarms,
                             stats::BinomialMds(cell, grid.slowdowns, grid.alpha),
                             stats::PaperMds(cell, grid.slowdowns)});
  }
}

ComparedBenchmark Compare(const BenchmarkTimes& old_side, const BenchmarkTimes& new_side,
                          const std::string& new_file, const Options& options) {
  AppliedRules applied = ApplyRules(options.rules, old_side.sample, new_side.sample, options);
  ComparedBenchmark compared{old_side.name,
                             new_file,
                             Summarize(old_side.sample, options.rates),
                             Summarize(new_side.sample, options.rates),
                             std::move(applied.rules),
                             std::move(applied.notices),
                             std::nullopt,
                             {},
                             ""};
  if (options.difference_of_means) {
    compared.means = stats::DifferenceOfMeans(old_side.sample, new_side.sample, options.levels[0],
                                              options.resampling, options.winsorize);
  }
  return compared;
}

// Says which benchmarks of `data`, of the file `name`, the other file lacks.
void NoteUnmatched(const TimesData& data, const std::string& name, const TimesData& other,
                   std::vector<std::string>* notices) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const BenchmarkTimes& times : data.benchmarks) {
    if (Find(other, times.name) != nullptr) continue;
    if (++count <= kNamed) names.push_back(absl::StrCat("'", Shown(times.name), "'"));
  }
  if (count == 0) return;
  notices->push_back(absl::StrCat(
      count, count == 1 ? " benchmark is" : " benchmarks are", " only in ", name,
      " and not compared: ", absl::StrJoin(names, ", "), count > kNamed ? ", ..." : ""));
}

}  // namespace

absl::StatusOr<UnpairedResult> CompareTimes(const std::vector<TimesData>& files,
                                            const Options& options) {
  UnpairedResult result;
  for (const TimesData& file : files) {
    for (const std::string& notice : file.notices) {
      if (std::count(result.notices.begin(), result.notices.end(), notice) == 0) {
        result.notices.push_back(notice);
      }
    }
  }
  const TimesData& reference = files[0];
  for (std::size_t k = 1; k < files.size(); ++k) {
    const std::string& machine = files[k].machine;
    if (machine == reference.machine || machine.empty() || reference.machine.empty()) continue;
    result.notices.push_back(absl::StrCat(options.compare[0], " and ", options.compare[k],
                                          " were measured on two machines, '", reference.machine,
                                          "' and '", machine, "': the difference may be theirs"));
  }
  for (const BenchmarkTimes& old_side : reference.benchmarks) {
    bool is_first = true;
    for (std::size_t k = 1; k < files.size(); ++k) {
      const BenchmarkTimes* new_side = Find(files[k], old_side.name);
      if (new_side == nullptr) continue;
      result.benchmarks.push_back(Compare(old_side, *new_side, options.compare[k], options));
      // The minimal detectable slow-down is one of the reference: once is enough.
      if (options.mds && is_first) AddMds(old_side.sample, options, &result.benchmarks.back());
      is_first = false;
    }
  }
  if (result.benchmarks.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(options.compare[0], " and ", options.compare[1],
                                                   " have no benchmark in common: '",
                                                   Shown(files[0].benchmarks[0].name), "' there, '",
                                                   Shown(files[1].benchmarks[0].name), "' here"));
  }
  for (std::size_t k = 1; k < files.size(); ++k) {
    NoteUnmatched(reference, options.compare[0], files[k], &result.notices);
    NoteUnmatched(files[k], options.compare[k], reference, &result.notices);
  }
  return result;
}

std::vector<stats::GridRule> GridRulesFor(const std::vector<Rule>& rules) {
  std::vector<stats::GridRule> found;
  for (const stats::GridRule rule : stats::kAllGridRules) {
    const bool asked = std::any_of(rules.begin(), rules.end(), [&](Rule wanted) {
      return RuleName(wanted) == stats::GridRuleName(rule);
    });
    if (asked || rule == stats::GridRule::kT) found.push_back(rule);
  }
  return found;
}

bool IsStarred(const ComparedBenchmark& benchmark) {
  return std::any_of(benchmark.rules.begin(), benchmark.rules.end(), [](const AppliedRule& rule) {
    return rule.rule == Rule::kWelch && rule.decision.ok() &&
           rule.decision->decision != stats::Change::kNone;
  });
}

}  // namespace duetbench::duet_stat
