#include "tools/duet_lab/papers/power.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
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

std::string EncodePowerRecord(const PowerRecord& record) {
  PowerJson json = {{"schedule", record.schedule},
                    {"effect", record.effect},
                    {"experiment", record.experiment},
                    {"intervals", PowerJson::object()}};
  for (const auto& [kind, ends] : record.intervals) {
    json["intervals"][kind] = {ends.first, ends.second};
  }
  return json.dump();
}

absl::StatusOr<PowerRecord> DecodePowerRecord(absl::string_view line) {
  const nlohmann::json json = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
  PowerRecord record;
  try {
    record.schedule = json.at("schedule").get<std::string>();
    record.effect = json.at("effect").get<double>();
    record.experiment = json.at("experiment").get<int>();
    for (const auto& [kind, ends] : json.at("intervals").items()) {
      record.intervals[kind] = {ends.at(0).get<double>(), ends.at(1).get<double>()};
    }
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return record;
}

absl::StatusOr<std::vector<PowerRecord>> ReadPowerRecords(const std::vector<std::string>& lines) {
  std::vector<PowerRecord> records;
  std::set<std::tuple<std::string, double, int>> known;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    absl::StatusOr<PowerRecord> record = DecodePowerRecord(lines[i]);
    if (!record.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", i + 2, " is no experiment of duet_lab power; remove it, or use ",
                       "another file: ", record.status().message()));
    }
    if (!known.emplace(record->schedule, record->effect, record->experiment).second) continue;
    records.push_back(*std::move(record));
  }
  return records;
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

absl::StatusOr<LabReport> MeasurePower(Arguments& arguments) {
  LabReport report;
  report.measurement = "power";
  const std::string state = arguments.Text("state", "");
  const std::string schedules_text = arguments.Text("schedules", "duet,crossed,interleaved");
  const std::string kinds_text = arguments.Text("kinds", "t,hl,bca,paper");
  const int64_t asked = arguments.Whole("experiments", 0, 0, 1'000'000);
  const absl::StatusOr<PaperPlan> plan =
      ReadPaperPlan(arguments, {"sort", 10, 0.1, "none"}, {"sort", 5, 0.03, "none"}, &report);
  if (!plan.ok()) return plan.status();
  if (plan->workloads.size() != 1 || plan->loads.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--workloads, --loads: power takes one workload and one load, not ",
                     plan->workloads.size(), " and ", plan->loads.size()));
  }
  const std::vector<std::string> schedules = absl::StrSplit(schedules_text, ',');
  const std::vector<std::string> kinds = absl::StrSplit(kinds_text, ',');
  for (const std::string& kind : kinds) {
    if (kind == kPaperKind) continue;
    if (!stats::MethodNamed(stats::kIntervalKinds, kind).has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--kinds: '", kind, "' is no interval of duet_stat --ci, and not paper"));
    }
  }
  const int experiments = asked > 0 ? static_cast<int>(asked) : plan->quick ? 3 : 100;
  const Workload& workload = *plan->workloads[0];
  const double ms = plan->iteration_ms > 0 ? plan->iteration_ms : 0.2;
  const std::string parameters = PowerJson{
      {"workload", workload.name},
      {"load", std::string(LoadName(plan->loads[0]))},
      {"iteration_ms", ms},
      {"runs", plan->runs},
      {"run_seconds", plan->run_seconds},
      {"seed", plan->seed},
      {"kinds", kinds_text}}.dump();
  absl::StatusOr<StateFile> file = StateFile::Open(state, parameters);
  if (!file.ok()) return file.status();
  absl::StatusOr<std::vector<PowerRecord>> read = ReadPowerRecords(file->lines());
  if (!read.ok())
    return absl::InvalidArgumentError(
        absl::StrCat("--state=", state, ": ", read.status().message()));
  std::vector<PowerRecord> records = *std::move(read);
  const std::size_t resumed = records.size();

  const int total = experiments * static_cast<int>(schedules.size() * std::size(kEffects));
  ProgressLine progress;
  const auto begin = std::chrono::steady_clock::now();
  int done = 0;
  int measured = 0;
  const absl::Status status = UnderEachLoad(*plan, &report, [&](LoadKind) -> absl::Status {
    for (int experiment = 0; experiment < experiments; ++experiment) {
      for (const std::string& schedule : schedules) {
        for (const double effect : kEffects) {
          ++done;
          const bool known =
              std::any_of(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(resumed),
                          [&](const PowerRecord& record) {
                            return record.schedule == schedule && record.effect == effect &&
                                   record.experiment == experiment;
                          });
          if (known) continue;
          const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
          progress.Show(absl::StrCat("power, ", schedule), done, total,
                        spent.count() / std::max(1, measured) * (total - done));
          DuetPlan duet = MakeDuetPlan(*plan, workload, ms, 1 + effect, schedule);
          duet.seed = plan->seed + static_cast<uint64_t>(experiment);
          absl::StatusOr<duet_stat::BenchmarkPairs> pairs = CollectPairs(duet, plan->interrupted);
          if (!pairs.ok()) return pairs.status();
          ++measured;
          PowerRecord record{schedule, effect, experiment, {}};
          AddIntervals(*std::move(pairs), kinds, duet.seed, &record);
          if (absl::Status kept = file->Append(EncodePowerRecord(record)); !kept.ok()) return kept;
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
  for (const std::string& schedule : schedules) {
    for (const std::string& kind : kinds) {
      PowerJson row = {{"schedule", schedule}, {"kind", kind}};
      for (const double effect : kEffects) {
        row[EffectKey(effect)] = CountJson(CountFound(records, schedule, effect, kind));
      }
      report.rows.push_back(std::move(row));
    }
  }
  return report;
}

}  // namespace duetbench::lab
