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

std::string Text(absl::string_view text) { return std::string(text); }

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

// exp(log_ratio) - 1.
Json Fraction(const std::optional<stats::Effect>& effect, double share = 1) {
  return effect.has_value() ? Number(std::expm1(effect->log_ratio * share)) : Json(nullptr);
}

const char* ShuffleName(Shuffle shuffle) {
  switch (shuffle) {
    case Shuffle::kAll:
      return "all";
    case Shuffle::kWithinRuns:
      return "runs";
    case Shuffle::kNone:
      break;
  }
  return "none";
}

Json Intervals(const BenchmarkResult& result) {
  Json list = Json::array();
  for (const IntervalResult& entry : result.intervals) {
    Json json = {{"method", Text(stats::IntervalKindName(entry.kind))},
                 {"level", entry.level},
                 {"estimator", Text(stats::EstimatorName(entry.estimator))}};
    if (entry.interval.ok()) {
      json["ratio"] = Number(entry.interval->ratio);
      json["lo"] = End(entry.interval->lo);
      json["hi"] = End(entry.interval->hi);
      json["verdict"] = Text(stats::VerdictName(entry.verdict));
      if (!entry.interval->warning.empty()) json["warning"] = entry.interval->warning;
    } else {
      json["error"] = Text(entry.interval.status().message());
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json DiagnosisOf(const BenchmarkResult& result) {
  const stats::Diagnosis& diagnosis = result.diagnosis;
  Json significant = Json::array();
  const auto note = [&](const std::optional<stats::Effect>& effect, const char* name) {
    if (effect.has_value() && effect->significant) significant.push_back(name);
  };
  note(diagnosis.side_bias, "side_bias");
  note(diagnosis.iteration_drift, "drift");
  note(diagnosis.run_drift, "run_drift");
  if (diagnosis.pairing_helped) significant.push_back("pairing");
  Json sizes = Json::array();
  for (const stats::Cluster& cluster : diagnosis.clusters) sizes.push_back(cluster.size);
  Json tails = nullptr;
  if (diagnosis.tails.has_value()) tails = diagnosis.tails->differs;
  return {{"pairing_gain", Number(diagnosis.pairing_gain)},
          {"pairing_gain_all", Number(diagnosis.pairing_gain_all)},
          {"correlation", Number(diagnosis.correlation)},
          {"lag1", Number(diagnosis.lag1)},
          {"run_to_noise", Number(diagnosis.run_to_noise)},
          // The two assignments see the difference of the CPUs with opposite signs.
          {"side_bias", Fraction(diagnosis.side_bias, 0.5)},
          {"clusters", diagnosis.clusters.size()},
          {"drift", Fraction(diagnosis.iteration_drift)},
          {"run_drift", Fraction(diagnosis.run_drift)},
          {"tails_differ", tails},
          {"significant", std::move(significant)},
          {"cluster_sizes", std::move(sizes)},
          {"sentences", result.sentences}};
}

Json PlanningOf(const Planning& planning) {
  Json json = {{"s1_2", Number(planning.s1_2)},
               {"t2_2", Number(planning.t2_2)},
               {"best_iterations", Number(planning.best_pairs)},
               {"mds", Number(planning.mds)},
               {"mds_upper", Number(planning.mds_upper)},
               {"run_cost_s", Number(planning.run_cost_s)},
               {"iteration_cost_s", Number(planning.pair_cost_s)}};
  if (planning.resampled.has_value()) {
    json["mds_resampled"] = Number(planning.resampled->slowdown);
    json["mds_paper"] = Number(planning.resampled->paper_slowdown);
    json["mds_false_alarms"] = planning.resampled->false_alarms;
  }
  return json;
}

Json Rules(const std::vector<AppliedRule>& rules) {
  Json list = Json::array();
  for (const AppliedRule& applied : rules) {
    Json json = {{"name", Text(RuleName(applied.rule))}};
    if (applied.decision.ok()) {
      json["decision"] = Text(stats::ChangeName(applied.decision->decision));
      if (applied.decision->p.has_value()) json["p"] = Number(*applied.decision->p);
      if (applied.decision->effect.has_value()) json["effect"] = Number(*applied.decision->effect);
    } else {
      json["error"] = Text(applied.decision.status().message());
    }
    list.push_back(std::move(json));
  }
  return list;
}

// Fractions of the mean.
Json MeansOf(const absl::StatusOr<stats::MeansDifference>& means) {
  if (!means.ok()) return {{"error", Text(means.status().message())}};
  return {{"level", means->level}, {"difference", means->difference},
          {"lo", means->lo},       {"hi", means->hi},
          {"mean", means->mean},   {"width", stats::RelativeWidth(*means)}};
}

Json BenchmarkOf(const BenchmarkResult& result) {
  Json json = {{"name", result.name}};
  if (!result.error.empty()) json["error"] = result.error;
  json["runs"] = result.runs;
  json["pairs"] = result.pairs;
  json["dropped"] = result.dropped;
  json["machines"] = result.machines;
  json["layouts"] = result.layouts;
  json["estimates"] = Json::object();
  for (const Estimate& estimate : result.estimates) {
    json["estimates"][Text(stats::EstimatorName(estimate.estimator))] = Number(estimate.ratio);
  }
  json["run_log_ratios"] = Json::array();
  for (const double value : result.run_log_ratios) json["run_log_ratios"].push_back(Number(value));
  json["intervals"] = Intervals(result);
  json["verdict"] = Text(stats::VerdictName(result.decision.verdict));
  if (result.decision.total.has_value()) {
    json["total"] = {{"ratio", Number(result.decision.total->interval.ratio)},
                     {"lo", Number(result.decision.total->interval.lo)},
                     {"hi", Number(result.decision.total->interval.hi)},
                     {"p", Number(result.decision.total->p)},
                     {"decides", result.decision.total_decides}};
  }
  json["diagnosis"] = DiagnosisOf(result);
  json["planning"] = PlanningOf(result.planning);
  if (result.means.has_value()) json["difference_of_means"] = MeansOf(*result.means);
  json["rules"] = Rules(result.rules);
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
                 {"winsorize", Text(stats::OutlierRuleName(options.winsorize))},
                 {"shuffle", ShuffleName(options.shuffle)}}},
               {"notices", notices},
               {"benchmarks", Json::array()}};
  for (const BenchmarkResult& result : results) json["benchmarks"].push_back(BenchmarkOf(result));
  return Dump(json);
}

std::string JsonText(const UnpairedResult& result, const Options& options) {
  const absl::Span<const std::string> others = absl::MakeConstSpan(options.compare).subspan(1);
  Json json = {{"context",
                {{"old", options.compare[0]},
                 {"new", options.compare[1]},
                 {"files", std::vector<std::string>(others.begin(), others.end())},
                 {"rates", options.rates},
                 {"seed", options.resampling.seed},
                 {"resamples", options.resampling.replicates}}},
               {"notices", result.notices},
               {"benchmarks", Json::array()}};
  for (const ComparedBenchmark& benchmark : result.benchmarks) {
    const auto summary = [&](const SideSummary& side) {
      return Json{{"runs", side.runs},        {"times", side.times},
                  {"min", side.min},          {options.rates ? "hmean" : "amean", side.mean},
                  {"median", side.median},    {"max", side.max},
                  {"stddev", side.deviation}, {"cv", side.variation}};
    };
    Json entry = {{"name", benchmark.name},
                  {"new_file", benchmark.new_file},
                  {"old", summary(benchmark.old_side)},
                  {"new", summary(benchmark.new_side)},
                  {"starred", IsStarred(benchmark)},
                  {"rules", Rules(benchmark.rules)},
                  {"notices", benchmark.notices}};
    if (benchmark.means.has_value()) entry["difference_of_means"] = MeansOf(*benchmark.means);
    if (!benchmark.mds_error.empty()) entry["mds_error"] = benchmark.mds_error;
    for (const RuleMds& mds : benchmark.mds) {
      entry["mds"].push_back({{"rule", mds.rule},
                              {"resamplings", mds.resamplings},
                              {"false_alarms", mds.false_alarms},
                              {"mds", Number(mds.mds)},
                              {"paper_mds", Number(mds.paper_mds)}});
    }
    json["benchmarks"].push_back(std::move(entry));
  }
  return Dump(json);
}

}  // namespace duetbench::duet_stat
