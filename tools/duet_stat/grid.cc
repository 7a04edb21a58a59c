#include "tools/duet_stat/grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/pairs_file.h"
#include "nlohmann/json.hpp"
#include "tools/duet_stat/comparison.h"

namespace duetbench::duet_stat {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kVariationReplicates = 1000;  // the paper's

GridBenchmark Evaluate(BenchmarkTimes times, const Options& options,
                       const stats::GridOptions& grid) {
  GridBenchmark result;
  result.name = std::move(times.name);
  result.dropped = stats::DropTenfoldOutliers(times.sample);
  for (const std::vector<double>& run : times.sample.runs) result.times += run.size();
  const absl::StatusOr<stats::Instances> all = stats::GroupByInstance(times.sample);
  if (!all.ok()) {
    result.error = std::string(all.status().message());
    return result;
  }
  result.instances = all->times.size();
  result.trials = all->Trials();
  result.variability =
      stats::MeasureVariability(*all, kVariationReplicates, options.resampling.seed);
  absl::StatusOr<std::vector<stats::GridCell>> cells = stats::EvaluateGrid(*all, grid);
  if (cells.ok()) {
    result.cells = *std::move(cells);
  } else {
    result.error = std::string(cells.status().message());
  }
  return result;
}

// A table with a row for each sampling, instances and trials, and the cells of all rules in it.
template <class Cell>
void AppendTable(const GridBenchmark& benchmark, const char* title, Cell text, std::string* out) {
  std::vector<stats::GridRule> rules;
  for (const stats::GridCell& cell : benchmark.cells) {
    if (std::find(rules.begin(), rules.end(), cell.rule) == rules.end()) rules.push_back(cell.rule);
  }
  absl::StrAppend(out, "    ", title, "\n");
  absl::StrAppendFormat(out, "    %-9s %9s %6s", "sampling", "instances", "trials");
  for (const stats::GridRule rule : rules) {
    absl::StrAppendFormat(out, " %11s", std::string(stats::GridRuleName(rule)));
  }
  for (std::size_t c = 0; c < benchmark.cells.size();) {
    const stats::GridCell& first = benchmark.cells[c];
    absl::StrAppendFormat(out, "\n    %-9s %9d %6d",
                          std::string(stats::SamplingName(first.sampling)), first.instances,
                          first.trials);
    for (const stats::GridRule rule : rules) {
      const bool is_here = c < benchmark.cells.size() && benchmark.cells[c].rule == rule &&
                           benchmark.cells[c].instances == first.instances &&
                           benchmark.cells[c].trials == first.trials;
      absl::StrAppendFormat(out, " %11s", is_here ? text(benchmark.cells[c]) : "-");
      if (is_here) ++c;
    }
  }
  absl::StrAppend(out, "\n");
}

std::string SlowdownText(double slowdown) {
  return std::isinf(slowdown) ? "none" : absl::StrFormat("%.3g", 100 * slowdown);
}

OrderedJson SlowdownJson(double slowdown) {
  return std::isinf(slowdown) ? OrderedJson("inf") : OrderedJson(slowdown);
}

std::string SlowdownCell(double slowdown) {
  return std::isinf(slowdown) ? "inf" : absl::StrFormat("%g", slowdown);
}

}  // namespace

GridResult EvaluateTimes(TimesData times, const Options& options) {
  GridResult result;
  result.notices = std::move(times.notices);
  stats::GridOptions grid = options.grid_options;
  grid.seed = options.resampling.seed;
  if (options.mds) grid.slowdowns = stats::PaperSlowdowns();
  if (!options.rules.empty()) grid.rules = GridRulesFor(options.rules);
  result.slowdowns = grid.slowdowns;
  result.alpha = grid.alpha;
  for (BenchmarkTimes& benchmark : times.benchmarks) {
    result.benchmarks.push_back(Evaluate(std::move(benchmark), options, grid));
  }
  return result;
}

std::string ConsoleText(const GridResult& result) {
  std::string out;
  for (const std::string& notice : result.notices) {
    absl::StrAppend(&out, "duet_stat: warning: ", notice, "\n");
  }
  for (const GridBenchmark& benchmark : result.benchmarks) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", benchmark.name, "\n");
    absl::StrAppend(&out, "    ", benchmark.times, " times, ", benchmark.instances,
                    " instances of at least ", benchmark.trials, " trials; ", benchmark.dropped,
                    " above ten times the median left out\n");
    if (benchmark.instances > 0) {
      const stats::Variability& v = benchmark.variability;
      absl::StrAppendFormat(&out,
                            "    coefficient of variation: %.3g %% in all (95 %% interval %.0f %% "
                            "of it wide), %.3g +- %.2g %% of an instance, %.3g +- %.2g %% of a "
                            "trial\n",
                            100 * v.total, 100 * v.total_interval_width, 100 * v.instances.mean,
                            100 * v.instances.deviation, 100 * v.trials.mean,
                            100 * v.trials.deviation);
    }
    if (!benchmark.error.empty()) absl::StrAppend(&out, "    ERROR: ", benchmark.error, "\n");
    if (benchmark.cells.empty()) continue;
    AppendTable(
        benchmark,
        absl::StrCat("false alarms in % of ", benchmark.cells[0].resamplings,
                     " resamplings (rules at ", 100 * result.alpha, " %)")
            .c_str(),
        [](const stats::GridCell& cell) {
          return absl::StrFormat("%.3g", 100 * cell.FalseAlarmRate());
        },
        &out);
    if (result.slowdowns.empty()) continue;
    AppendTable(
        benchmark,
        "smallest slow-down in % that is found in 95 % of them: with at most 5 % false "
        "alarms (the paper) / with as many as chance explains",
        [&](const stats::GridCell& cell) {
          return absl::StrCat(
              SlowdownText(stats::PaperMds(cell, result.slowdowns)), "/",
              SlowdownText(stats::BinomialMds(cell, result.slowdowns, result.alpha)));
        },
        &out);
  }
  return out;
}

std::string CsvText(const GridResult& result) {
  std::string out =
      "benchmark,sampling,instances,trials,rule,resamplings,false_alarms,mds,paper_mds\n";
  for (const GridBenchmark& benchmark : result.benchmarks) {
    for (const stats::GridCell& cell : benchmark.cells) {
      AppendCsvCell(benchmark.name, &out);
      absl::StrAppend(&out, ",", stats::SamplingName(cell.sampling), ",", cell.instances, ",",
                      cell.trials, ",", stats::GridRuleName(cell.rule), ",", cell.resamplings, ",",
                      cell.false_alarms, ",");
      if (!result.slowdowns.empty()) {
        absl::StrAppend(&out,
                        SlowdownCell(stats::BinomialMds(cell, result.slowdowns, result.alpha)), ",",
                        SlowdownCell(stats::PaperMds(cell, result.slowdowns)));
      } else {
        absl::StrAppend(&out, ",");
      }
      absl::StrAppend(&out, "\n");
    }
  }
  return out;
}

std::string JsonText(const GridResult& result) {
  OrderedJson json = {{"notices", result.notices},
                      {"slowdowns", result.slowdowns},
                      {"alpha", result.alpha},
                      {"benchmarks", OrderedJson::array()}};
  for (const GridBenchmark& benchmark : result.benchmarks) {
    OrderedJson entry = {{"name", benchmark.name}};
    if (!benchmark.error.empty()) entry["error"] = benchmark.error;
    entry["instances"] = benchmark.instances;
    entry["trials"] = benchmark.trials;
    entry["times"] = benchmark.times;
    entry["dropped"] = benchmark.dropped;
    const stats::Variability& v = benchmark.variability;
    entry["variation"] = {
        {"total", v.total},
        {"total_interval_width", v.total_interval_width},
        {"instances", {{"mean", v.instances.mean}, {"deviation", v.instances.deviation}}},
        {"trials", {{"mean", v.trials.mean}, {"deviation", v.trials.deviation}}}};
    entry["cells"] = OrderedJson::array();
    for (const stats::GridCell& cell : benchmark.cells) {
      OrderedJson row = {{"sampling", std::string(stats::SamplingName(cell.sampling))},
                         {"instances", cell.instances},
                         {"trials", cell.trials},
                         {"rule", std::string(stats::GridRuleName(cell.rule))},
                         {"resamplings", cell.resamplings},
                         {"false_alarms", cell.false_alarms}};
      if (!result.slowdowns.empty()) {
        row["mds"] = SlowdownJson(stats::BinomialMds(cell, result.slowdowns, result.alpha));
        row["paper_mds"] = SlowdownJson(stats::PaperMds(cell, result.slowdowns));
        row["detections"] = cell.detections;
      }
      entry["cells"].push_back(std::move(row));
    }
    json["benchmarks"].push_back(std::move(entry));
  }
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace duetbench::duet_stat
