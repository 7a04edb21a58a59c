#include "duetbench/report/suite_bmf.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "duetbench/experiment/pool_repetitions.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

using BmfJson = nlohmann::ordered_json;

BmfJson Metric(double value, double lo, double hi) {
  BmfJson metric = {{"value", value}};
  if (std::isfinite(lo)) metric["lower_value"] = lo;
  if (std::isfinite(hi)) metric["upper_value"] = hi;
  return metric;
}

BmfJson TimeMetric(double value, const std::vector<double>& run_logs, double level) {
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(run_logs, level);
  if (!interval.ok()) return Metric(value, NAN, NAN);
  // The value is a mean of all pairs, the interval one of runs, each with the same weight.
  return Metric(value, std::min(interval->lo, value), std::max(interval->hi, value));
}

// The repetitions of a benchmark.
struct NamedEntries {
  std::string name;
  std::vector<const SuiteEntry*> entries;
};

std::vector<NamedEntries> ByName(absl::Span<const SuiteEntry> suite) {
  std::vector<NamedEntries> groups;
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.estimate() == nullptr) continue;
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const NamedEntries& group) {
      return group.name == entry.name;
    });
    if (known != groups.end()) {
      known->entries.push_back(&entry);
    } else {
      groups.push_back({entry.name, {&entry}});
    }
  }
  return groups;
}

void AddBenchmark(const NamedEntries& group, BmfJson* report) {
  std::vector<const Estimate*> estimates;
  std::vector<double> run_logs[2];
  for (const SuiteEntry* const entry : group.entries) {
    estimates.push_back(entry->comparison.estimate());
    for (const stats::RunTimes& run : entry->run_times) {
      for (int v = 0; v < 2; ++v) run_logs[v].push_back(std::log(run.mean[v]));
    }
  }
  std::optional<Estimate> pooled;
  if (estimates.size() > 1) pooled = PoolRepetitions(estimates);
  const Estimate& estimate = pooled.has_value() ? *pooled : *estimates.front();
  const std::string name = Printable(group.name);
  const stats::RatioInterval& ratio = estimate.interval;
  (*report)[name]["ratio"] = Metric(ratio.ratio, ratio.lo, ratio.hi);
  for (int v = 0; v < 2; ++v) {
    (*report)[name + (v == 0 ? "/old" : "/new")]["latency"] =
        TimeMetric(estimate.time_ns[v], run_logs[v], ratio.level);
  }
}

}  // namespace

std::string SuiteBmf(absl::Span<const SuiteEntry> suite) {
  BmfJson report = BmfJson::object();
  for (const NamedEntries& group : ByName(suite)) AddBenchmark(group, &report);
  return report.dump(2) + "\n";
}

}  // namespace duetbench
