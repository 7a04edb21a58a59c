#include "tools/duet_lab/papers/power.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/replicate/state_file.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/method_names.h"
#include "tools/stats/outliers.h"

namespace duetbench::lab {
namespace {

using PowerJson = nlohmann::ordered_json;

constexpr double kUnbounded = 1e300;
constexpr char kPaperKind[] = "paper";
constexpr double kEffects[] = {0, 0.005, 0.01, 0.02, 0.05};

void AddInterval(const std::string& name, const absl::StatusOr<stats::RatioInterval>& interval,
                 PowerRecord* record) {
  if (!interval.ok()) return;
  record->intervals[name] = {interval->lo, std::min(interval->hi, kUnbounded)};
}

// All intervals of one experiment.
void AddIntervals(duet_stat::BenchmarkPairs pairs, const std::vector<std::string>& kinds,
                  uint64_t seed, PowerRecord* record) {
  duet_stat::BenchmarkPairs all = pairs;
  duet_stat::SelectPairs(pairs);
  duet_stat::DropEmptyRuns(pairs);
  for (const std::string& name : kinds) {
    stats::IntervalOptions options;
    options.resampling.seed = seed;
    if (name != kPaperKind) {
      options.kind = *stats::MethodNamed(stats::kIntervalKinds, name);
      AddInterval(name, stats::ComputeInterval(pairs.runs, options), record);
      continue;
    }
    duet_stat::SelectPairs(all, /*keep_disturbed=*/true);
    duet_stat::DropEmptyRuns(all);
    for (stats::RunPairs& run : all.runs) {
      run = stats::WinsorizeRatios(std::move(run), stats::OutlierRule::kRange20);
    }
    options.kind = stats::IntervalKind::kPercentile;
    options.estimator = stats::Estimator::kGeomean;
    AddInterval(name, stats::ComputeInterval(all.runs, options), record);
  }
}

std::string EffectKey(double effect) { return absl::StrFormat("effect_%g_percent", 100 * effect); }

PowerJson CountJson(const PowerCount& count) {
  return {{"experiments", count.experiments},
          {"found", count.found},
          {"lo", count.lo},
          {"hi", count.hi},
          {"text", absl::StrFormat("%d/%d (%.0f-%.0f %%)", count.found, count.experiments,
                                   100 * count.lo, 100 * count.hi)}};
}

}  // namespace

std::string KeyOf(const std::string& schedule, double effect, int experiment) {
  return absl::StrCat(schedule, ",", effect, ",", experiment);
}

std::pair<double, double> ClopperPearson(int found, int experiments, double level) {
  if (experiments == 0) return {0, 1};
  using boost::math::binomial;
  const double tail = (1 - level) / 2;
  const double lo = found == 0 ? 0 : binomial::find_lower_bound_on_p(experiments, found, tail);
  const double hi =
      found == experiments ? 1 : binomial::find_upper_bound_on_p(experiments, found, tail);
  return {lo, hi};
}

PowerCount CountFound(const std::vector<PowerRecord>& records, absl::string_view schedule,
                      double effect, const std::string& kind) {
  PowerCount count;
  for (const PowerRecord& record : records) {
    const auto it = record.intervals.find(kind);
    if (record.schedule != schedule || record.effect != effect || it == record.intervals.end()) {
      continue;
    }
    ++count.experiments;
    const bool above = it->second.first > 1;
    const bool below = it->second.second < 1;
    if (above || (below && effect == 0)) ++count.found;
  }
  std::tie(count.lo, count.hi) = ClopperPearson(count.found, count.experiments, 0.95);
  return count;
}

namespace {

struct PowerOptions : PaperOptions {
  int experiments = 0;  // 0: the default
  std::vector<std::string> schedules = {"duet", "crossed", "interleaved"};
  std::vector<std::string> kinds = {"t", "hl", "bca", kPaperKind};
  std::string state;
};

absl::StatusOr<LabReport> MeasurePower(const PowerOptions& options, const CommonOptions& common) {
  LabReport report;
  report.measurement = "power";
  const absl::StatusOr<PaperPlan> plan = MakePaperPlan(
      options, common, {{"sort"}, 10, 0.1, {"none"}}, {{"sort"}, 5, 0.03, {"none"}}, &report);
  if (!plan.ok()) return plan.status();
  if (plan->workloads.size() != 1 || plan->loads.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--workloads, --loads: power takes one workload and one load, not ",
                     plan->workloads.size(), " and ", plan->loads.size()));
  }
  const int experiments = options.experiments > 0 ? options.experiments : plan->quick ? 3 : 100;
  const Workload& workload = *plan->workloads[0];
  const double ms = plan->iteration_ms > 0 ? plan->iteration_ms : 0.2;
  const std::string parameters = PowerJson{
      {"workload", workload.name},
      {"load", std::string(LoadName(plan->loads[0]))},
      {"iteration_ms", ms},
      {"runs", plan->runs},
      {"run_seconds", plan->run_seconds},
      {"seed", plan->seed},
      {"kinds", absl::StrJoin(options.kinds,
                              ",")}}.dump();
  absl::StatusOr<StateFile> file = StateFile::Open(options.state, parameters);
  if (!file.ok()) return file.status();
  absl::StatusOr<std::vector<PowerRecord>> read = DecodeRecords<PowerRecord>(file->lines());
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--state=", options.state, ": ", read.status().message()));
  }
  std::vector<PowerRecord> records = *std::move(read);
  std::set<std::string> known;
  for (const PowerRecord& record : records) known.insert(record.key);
  const std::size_t resumed = records.size();

  const int total = experiments * static_cast<int>(options.schedules.size() * std::size(kEffects));
  ProgressLine progress;
  const auto begin = std::chrono::steady_clock::now();
  int done = 0;
  int measured = 0;
  const absl::Status status = UnderEachLoad(*plan, &report, [&](LoadKind) -> absl::Status {
    for (int experiment = 0; experiment < experiments; ++experiment) {
      for (const std::string& schedule : options.schedules) {
        for (const double effect : kEffects) {
          ++done;
          const std::string key = KeyOf(schedule, effect, experiment);
          if (known.count(key) > 0) continue;
          const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
          progress.Show(absl::StrCat("power, ", schedule), done, total,
                        spent.count() / std::max(1, measured) * (total - done));
          DuetPlan duet = MakeDuetPlan(*plan, workload, ms, 1 + effect, schedule);
          duet.seed = plan->seed + static_cast<uint64_t>(experiment);
          absl::StatusOr<duet_stat::BenchmarkPairs> pairs = CollectPairs(duet);
          if (!pairs.ok()) return pairs.status();
          ++measured;
          PowerRecord record{key, schedule, effect, experiment, {}};
          AddIntervals(*std::move(pairs), options.kinds, duet.seed, &record);
          if (absl::Status kept = file->Append(EncodeRecord(record)); !kept.ok()) return kept;
          records.push_back(std::move(record));
        }
      }
    }
    return absl::OkStatus();
  });
  progress.Clear();
  if (!status.ok()) return status;
  report.context["parameters"] = parameters;
  report.context["experiments"] = experiments;
  report.context["resumed"] = resumed;
  report.summary.push_back(
      absl::StrFormat("power: of %d experiments each (%s, iterations of %g ms), how many 99 %% "
                      "intervals exclude 1: at 0 %% a false alarm (about 1 %% is right), else new "
                      "found to be slower; in parentheses the 95 %% interval of the share; %d "
                      "experiments were there before. With few runs hl and bca cannot reach 99 %% "
                      "and find too much",
                      experiments, workload.name, ms, resumed));
  report.columns = {{"schedule", "schedule"}, {"kind", "interval"}};
  for (const double effect : kEffects) {
    report.columns.push_back(
        {EffectKey(effect), effect == 0 ? "0 %" : absl::StrFormat("+%g %%", 100 * effect)});
  }
  for (const std::string& schedule : options.schedules) {
    for (const std::string& kind : options.kinds) {
      PowerJson row = {{"schedule", schedule}, {"kind", kind}};
      for (const double effect : kEffects) {
        row[EffectKey(effect)] = CountJson(CountFound(records, schedule, effect, kind));
      }
      report.rows.push_back(std::move(row));
    }
  }
  return report;
}

}  // namespace

Measure AddPower(CLI::App& command) {
  const auto options = std::make_shared<PowerOptions>();
  AddPaperOptions(command, options.get());
  command.add_option("--experiments", options->experiments, "of each cell (default: 100)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--schedules", options->schedules, "(default: duet,crossed,interleaved)")
      ->delimiter(',')
      ->allow_extra_args(false);
  std::vector<std::string> kinds = {kPaperKind};
  for (const auto& named : stats::kIntervalKinds) kinds.emplace_back(named.name);
  command
      .add_option("--kinds", options->kinds,
                  "intervals of duet_stat --ci, and paper: the published procedure\n"
                  "(default: t,hl,bca,paper)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(kinds).description(""));
  command.add_option("--state", options->state, "a file; goes on where it was interrupted");
  return [options](const CommonOptions& common) { return MeasurePower(*options, common); };
}

}  // namespace duetbench::lab
