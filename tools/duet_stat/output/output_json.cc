#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/duet_stat/output/outputs.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

using Json = nlohmann::ordered_json;

Json Number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return nullptr;
  return value > 0 ? "inf" : "-inf";
}

Json Number(const std::optional<double>& value) {
  return value.has_value() ? Number(*value) : Json(nullptr);
}

// An end of an interval of a ratio.
Json End(double end) { return end == 0 ? Json("0") : Number(end); }

Json IntervalOf(const IntervalResult& entry, const Options& options) {
  Json json = {{"method", NameOf(stats::kIntervalKinds, entry.kind)},
               {"level", options.level},
               {"estimator", NameOf(stats::kEstimators, EstimatorOf(entry.kind, options))}};
  if (!entry.interval.ok()) {
    json["error"] = std::string(entry.interval.status().message());
    return json;
  }
  json["ratio"] = Number(entry.interval->ratio);
  json["lo"] = End(entry.interval->lo);
  json["hi"] = End(entry.interval->hi);
  json["verdict"] = std::string(stats::VerdictName(entry.verdict));
  if (!entry.warning.empty()) json["warning"] = entry.warning;
  return json;
}

Json PlanningOf(const stats::Planning& planning) {
  return {{"s1_2", Number(planning.s1_2)},
          {"t2_2", Number(planning.t2_2)},
          {"best_iterations", Number(planning.best_pairs)},
          {"mds", Number(planning.mds)},
          {"mds_upper", Number(planning.mds_upper)},
          {"run_cost_s", Number(planning.run_cost_s)},
          {"iteration_cost_s", Number(planning.pair_cost_s)}};
}

Json RulesOf(const std::vector<AppliedRule>& rules) {
  Json list = Json::array();
  for (const AppliedRule& applied : rules) {
    Json json = {{"name", NameOf(stats::kRules, applied.rule)}};
    if (applied.decision.ok()) {
      json["decision"] = std::string(stats::ChangeName(applied.decision->decision));
      if (applied.decision->p.has_value()) json["p"] = Number(*applied.decision->p);
      if (applied.decision->effect.has_value()) json["effect"] = Number(*applied.decision->effect);
    } else {
      json["error"] = std::string(applied.decision.status().message());
    }
    list.push_back(std::move(json));
  }
  return list;
}

// Fractions of the mean.
Json MeansOf(const absl::StatusOr<stats::MeansDifference>& means) {
  if (!means.ok()) return {{"error", std::string(means.status().message())}};
  return {{"level", means->level}, {"difference", means->difference},
          {"lo", means->lo},       {"hi", means->hi},
          {"mean", means->mean},   {"width", means->Width()}};
}

Json BenchmarkOf(const BenchmarkResult& result, const Options& options) {
  Json json = {{"name", result.name}};
  if (!result.error.empty()) json["error"] = result.error;
  json["runs"] = result.runs;
  json["pairs"] = result.pairs;
  json["dropped"] = result.dropped;
  json["machines"] = result.machines;
  json["layouts"] = result.layouts;
  json["run_log_ratios"] = Json::array();
  for (const double value : result.run_log_ratios) json["run_log_ratios"].push_back(Number(value));
  json["intervals"] = Json::array();
  for (const IntervalResult& entry : result.intervals)
    json["intervals"] += IntervalOf(entry, options);
  json["verdict"] = std::string(stats::VerdictName(result.decision.verdict));
  if (result.decision.total.has_value()) {
    const stats::TotalRatio& total = *result.decision.total;
    json["total"] = {{"ratio", Number(total.interval.ratio)},
                     {"lo", Number(total.interval.lo)},
                     {"hi", Number(total.interval.hi)},
                     {"p", Number(total.p)},
                     {"decides", result.decision.total_decides}};
  }
  json["diagnosis"] = {{"sentences", result.sentences}};
  json["planning"] = PlanningOf(result.planning);
  if (result.means.has_value()) json["difference_of_means"] = MeansOf(*result.means);
  json["rules"] = RulesOf(result.rules);
  json["notices"] = result.notices;
  return json;
}

std::string Dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string JsonText(const std::vector<BenchmarkResult>& results,
                     const std::vector<std::string>& notices, const Options& options) {
  Json json = {{"context",
                {{"files", options.files},
                 {"margin", options.margin},
                 {"seed", options.resampling.seed},
                 {"resamples", options.resampling.replicates},
                 {"winsorize", NameOf(stats::kWinsorizings, options.winsorize)},
                 {"shuffle", options.shuffle}}},
               {"notices", notices},
               {"benchmarks", Json::array()}};
  for (const BenchmarkResult& result : results) json["benchmarks"] += BenchmarkOf(result, options);
  return Dump(json);
}

std::string JsonText(const UnpairedResult& result, const Options& options) {
  Json json = {{"context",
                {{"old", result.files[0]},
                 {"new", result.files[1]},
                 {"rates", options.rates},
                 {"seed", options.resampling.seed},
                 {"resamples", options.resampling.replicates}}},
               {"notices", result.notices},
               {"benchmarks", Json::array()}};
  const auto summary = [&](const SideSummary& side) {
    return Json{{"runs", side.runs},        {"times", side.times},
                {"min", side.min},          {options.rates ? "hmean" : "amean", side.mean},
                {"median", side.median},    {"max", side.max},
                {"stddev", side.deviation}, {"cv", side.variation}};
  };
  for (const ComparedBenchmark& benchmark : result.benchmarks) {
    Json entry = {{"name", benchmark.name},
                  {"old", summary(benchmark.sides[0])},
                  {"new", summary(benchmark.sides[1])},
                  {"rules", RulesOf(benchmark.applied.rules)},
                  {"notices", benchmark.applied.notices}};
    if (benchmark.means.has_value()) entry["difference_of_means"] = MeansOf(*benchmark.means);
    json["benchmarks"].push_back(std::move(entry));
  }
  return Dump(json);
}

std::string JsonText(const GridResult& result, const Options& options) {
  const stats::GridOptions grid = GridOptionsOf(options);
  Json json = {{"notices", result.notices},
               {"slowdowns", grid.slowdowns},
               {"alpha", grid.alpha},
               {"benchmarks", Json::array()}};
  const auto spread = [](const stats::Variability::MeanAndDeviation& of) {
    return Json{{"mean", of.mean}, {"deviation", of.deviation}};
  };
  for (const GridBenchmark& benchmark : result.benchmarks) {
    Json entry = {{"name", benchmark.name}};
    if (!benchmark.error.empty()) entry["error"] = benchmark.error;
    entry["instances"] = benchmark.instances;
    entry["trials"] = benchmark.trials;
    entry["times"] = benchmark.times;
    entry["dropped"] = benchmark.dropped;
    const stats::Variability& v = benchmark.variability;
    entry["variation"] = {{"total", v.total},
                          {"total_interval_width", v.total_interval_width},
                          {"instances", spread(v.instances)},
                          {"trials", spread(v.trials)}};
    entry["cells"] = Json::array();
    for (const stats::GridCell& cell : benchmark.cells) {
      Json row = {{"sampling", std::string(stats::SamplingName(cell.sampling))},
                  {"instances", cell.instances},
                  {"trials", cell.trials},
                  {"rule", NameOf(stats::kRules, cell.rule)},
                  {"resamplings", cell.resamplings},
                  {"false_alarms", cell.false_alarms}};
      if (!grid.slowdowns.empty()) {
        row["mds"] = Number(stats::BinomialMds(cell, grid.slowdowns, grid.alpha));
        row["paper_mds"] = Number(stats::PaperMds(cell, grid.slowdowns));
        row["detections"] = cell.detections;
      }
      entry["cells"].push_back(std::move(row));
    }
    json["benchmarks"].push_back(std::move(entry));
  }
  return Dump(json);
}

}  // namespace duetbench::duet_stat
