// RQ1 to RQ3 of the duet paper: `accuracy`, `shuffle` and `load`.
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/papers/widths.h"

namespace duetbench::lab {
namespace {

using WidthsJson = nlohmann::ordered_json;

constexpr char kGeometricMean[] = "geometric mean";

WidthsJson Percent(double fraction) { return 100 * fraction; }

// The schedules of the library beside the duet's own. Another one is one more row.
struct OtherSchedule {
  const char* name;  // of --duet_schedule
  const char* key;
  const char* title;
};
constexpr OtherSchedule kOtherSchedules[] = {{"crossed", "crossed_percent", "crossed"},
                                             {"interleaved", "interleaved_percent", "interleaved"}};

// Measurements of one workload, all A/A.
struct MeasuredWidths {
  duet_stat::BenchmarkPairs duet;
  std::map<std::string, duet_stat::BenchmarkPairs> others;  // by schedule
  StandardTimes standard;
};

struct WhatToMeasure {
  bool others = false;
  bool standard = false;
};

absl::StatusOr<MeasuredWidths> MeasureWidths(const PaperPlan& plan, const Workload& workload,
                                             WhatToMeasure what) {
  MeasuredWidths measured;
  const DuetPlan duet = MakeDuetPlan(plan, workload, 0, 1, "duet");
  absl::StatusOr<duet_stat::BenchmarkPairs> pairs = CollectPairs(duet, plan.interrupted);
  if (!pairs.ok()) return pairs.status();
  measured.duet = *std::move(pairs);
  for (const OtherSchedule& other : kOtherSchedules) {
    if (!what.others) continue;
    pairs = CollectPairs(MakeDuetPlan(plan, workload, 0, 1, other.name), plan.interrupted);
    if (!pairs.ok()) return pairs.status();
    measured.others[other.name] = *std::move(pairs);
  }
  if (what.standard) {
    absl::StatusOr<StandardTimes> standard =
        CollectStandard(duet.work, plan.runs, plan.run_seconds, plan.seed, plan.interrupted);
    if (!standard.ok()) return standard.status();
    measured.standard = *std::move(standard);
  }
  return measured;
}

// Geometric means of the columns `keys` over the rows that `take` selects.
template <class Take>
void AddGeometricMeans(WidthsJson start, const std::vector<const char*>& keys, Take take,
                       LabReport* report) {
  for (const char* key : keys) {
    std::vector<double> values;
    for (const WidthsJson& row : report->rows) {
      if (!take(row) || !row.contains(key) || !row[key].is_number()) continue;
      values.push_back(row[key].get<double>());
    }
    start[key] = GeometricMean(values);
  }
  report->rows.push_back(std::move(start));
}

WidthsJson AccuracyRow(const PaperPlan& plan, LoadKind load, const Workload& workload,
                       const MeasuredWidths& measured) {
  constexpr auto kWinsorize = stats::OutlierRule::kRange20;
  const double paper = PaperWidth(measured.duet, false, plan.seed);
  const double standard = StandardWidth(measured.standard, kWinsorize, plan.seed);
  const StandardTimes half = {FirstPart(measured.standard.old_times, 0.5),
                              FirstPart(measured.standard.new_times, 0.5)};
  const double equal_wall = StandardWidth(half, kWinsorize, plan.seed);
  WidthsJson row = {{"load", std::string(LoadName(load))},
                    {"workload", workload.name},
                    {"duet_percent", Percent(paper)},
                    {"shuffled_percent", Percent(PaperWidth(measured.duet, true, plan.seed))},
                    {"standard_percent", Percent(standard)},
                    {"duet_ours_percent", Percent(OurWidth(measured.duet))}};
  for (const OtherSchedule& other : kOtherSchedules) {
    row[other.key] = Percent(OurWidth(measured.others.at(other.name)));
  }
  row["standard_plain_percent"] =
      Percent(StandardWidth(measured.standard, stats::OutlierRule::kNone, plan.seed));
  row["standard_equal_wall_percent"] = Percent(equal_wall);
  row["gain"] = standard / paper;
  row["gain_equal_wall"] = equal_wall / paper;
  return row;
}

// Both shares of each workload and load, with progress. `add` makes rows of what was measured.
template <class AddRow>
absl::Status MeasureAll(const PaperPlan& plan, WhatToMeasure what, LabReport* report, AddRow add) {
  ProgressLine progress;
  const auto total = static_cast<int>(plan.loads.size() * plan.workloads.size());
  int done = 0;
  return UnderEachLoad(plan, report, [&](LoadKind load) -> absl::Status {
    for (const Workload* workload : plan.workloads) {
      progress.Show(absl::StrCat("load ", LoadName(load), ", ", workload->name), done++, total, 0);
      const absl::StatusOr<MeasuredWidths> measured = MeasureWidths(plan, *workload, what);
      if (!measured.ok()) return measured.status();
      add(load, *workload, *measured);
    }
    return absl::OkStatus();
  });
}

}  // namespace

absl::StatusOr<LabReport> MeasurePaperAccuracy(Arguments& arguments) {
  LabReport report;
  report.measurement = "accuracy";
  const absl::StatusOr<PaperPlan> plan = ReadPaperPlan(
      arguments, {"", 10, 1, "none"}, {"integer,cache,memory,sort", 6, 0.15, "none"}, &report);
  if (!plan.ok()) return plan.status();
  report.summary.emplace_back(
      "RQ1: widths in % of the 99 % intervals of A/A comparisons. duet, shuffled, standard: the "
      "procedures of the duet paper, each of as many runs of equal length; ours, crossed, "
      "interleaved: t intervals of this library");
  report.summary.emplace_back(
      "gain: standard / duet; at equal wall time the standard method, which takes two runs where "
      "the duet takes one, has half of each");
  report.summary.emplace_back(
      "published gains: 2.3 to 12.5 (geometric mean 5.03) on JVM workloads, 23.8 to 82.4 (37.4) on "
      "native ones, in clouds with neighbors");
  report.columns = {{"load", "load"},
                    {"workload", "workload"},
                    {"duet_percent", "duet", 3},
                    {"shuffled_percent", "shuffled", 3},
                    {"standard_percent", "standard", 3},
                    {"duet_ours_percent", "ours", 3}};
  for (const OtherSchedule& other : kOtherSchedules) {
    report.columns.push_back({other.key, other.title, 3});
  }
  report.columns.insert(report.columns.end(),
                        {{"standard_plain_percent", "std. not winsorized", 3},
                         {"standard_equal_wall_percent", "std. at equal wall", 3},
                         {"gain", "gain", 2},
                         {"gain_equal_wall", "gain at equal wall", 2}});
  const absl::Status status =
      MeasureAll(*plan, {true, true}, &report,
                 [&](LoadKind load, const Workload& workload, const MeasuredWidths& measured) {
                   report.rows.push_back(AccuracyRow(*plan, load, workload, measured));
                 });
  if (!status.ok()) return status;
  std::vector<const char*> keys = {"duet_percent",
                                   "shuffled_percent",
                                   "standard_percent",
                                   "duet_ours_percent",
                                   "standard_plain_percent",
                                   "standard_equal_wall_percent",
                                   "gain",
                                   "gain_equal_wall"};
  for (const OtherSchedule& other : kOtherSchedules) keys.push_back(other.key);
  for (const LoadKind load : plan->loads) {
    const std::string name(LoadName(load));
    AddGeometricMeans(
        {{"load", name}, {"workload", kGeometricMean}}, keys,
        [&](const WidthsJson& row) { return row["load"] == name; }, &report);
  }
  return report;
}

absl::StatusOr<LabReport> MeasureShuffle(Arguments& arguments) {
  LabReport report;
  report.measurement = "shuffle";
  const absl::StatusOr<PaperPlan> plan =
      ReadPaperPlan(arguments, {"", 10, 1, "none"},
                    {"integer,cache,memory,sort,allocation,interpreter", 6, 0.15, "none"}, &report);
  if (!plan.ok()) return plan.status();
  report.summary.emplace_back(
      "RQ2: widths in % of 99 % intervals, duet : shuffled : standard, as in the paper's appendix; "
      "published geometric means of standard / shuffled: 1.02 and 1.03. Where threads of this "
      "machine preempt the workload it is more: the standard method averages times, the duet "
      "ratios geometrically");
  report.columns = {{"load", "load"},
                    {"workload", "workload"},
                    {"duet_percent", "duet", 3},
                    {"shuffled_percent", "shuffled", 3},
                    {"standard_percent", "standard", 3},
                    {"shuffled_over_duet", "shuffled / duet", 2},
                    {"standard_over_shuffled", "standard / shuffled", 2}};
  const absl::Status status =
      MeasureAll(*plan, {false, true}, &report,
                 [&](LoadKind load, const Workload& workload, const MeasuredWidths& measured) {
                   const double paired = PaperWidth(measured.duet, false, plan->seed);
                   const double shuffled = PaperWidth(measured.duet, true, plan->seed);
                   const double standard =
                       StandardWidth(measured.standard, stats::OutlierRule::kRange20, plan->seed);
                   report.rows.push_back({{"load", std::string(LoadName(load))},
                                          {"workload", workload.name},
                                          {"duet_percent", Percent(paired)},
                                          {"shuffled_percent", Percent(shuffled)},
                                          {"standard_percent", Percent(standard)},
                                          {"shuffled_over_duet", shuffled / paired},
                                          {"standard_over_shuffled", standard / shuffled}});
                 });
  if (!status.ok()) return status;
  for (const LoadKind load : plan->loads) {
    const std::string name(LoadName(load));
    AddGeometricMeans(
        {{"load", name}, {"workload", kGeometricMean}},
        {"duet_percent", "shuffled_percent", "standard_percent", "shuffled_over_duet",
         "standard_over_shuffled"},
        [&](const WidthsJson& row) { return row["load"] == name; }, &report);
  }
  return report;
}

absl::StatusOr<LabReport> MeasureLoad(Arguments& arguments) {
  LabReport report;
  report.measurement = "load";
  const absl::StatusOr<PaperPlan> plan =
      ReadPaperPlan(arguments, {"", 10, 1, "none,one,both,bursts,quota,memory"},
                    {"integer,memory,sort", 6, 0.15, "none,one,both,bursts,quota,memory"}, &report);
  if (!plan.ok()) return plan.status();
  report.summary.emplace_back(
      "RQ3: widths in % of 99 % intervals by the paper's procedure, paired and shuffled, idle and "
      "under loads; ours: the t interval of the undisturbed pairs");
  report.summary.emplace_back(
      "published: shuffling changes nothing on an idle host; on a busy one intervals are 5 (JVM) "
      "to 52 (native) times as wide. A neighbor outside of the machine, who slows both CPUs at "
      "once, cannot be made here; bursts and quota stop both at once");
  report.columns = {{"load", "load"},
                    {"workload", "workload"},
                    {"duet_percent", "paired", 3},
                    {"shuffled_percent", "shuffled", 3},
                    {"shuffled_over_duet", "shuffled / paired", 2},
                    {"duet_ours_percent", "ours", 3},
                    {"disturbed_percent", "disturbed pairs [%]", 1}};
  const absl::Status status = MeasureAll(
      *plan, {}, &report,
      [&](LoadKind load, const Workload& workload, const MeasuredWidths& measured) {
        const double paired = PaperWidth(measured.duet, false, plan->seed);
        const double shuffled = PaperWidth(measured.duet, true, plan->seed);
        double disturbed = 0;
        double pairs = 0;
        for (std::size_t r = 0; r < measured.duet.runs.size(); ++r) {
          const auto of_run = static_cast<double>(measured.duet.origins[r].disturbed.size());
          disturbed += of_run;
          pairs += of_run + static_cast<double>(measured.duet.runs[r].size());
        }
        report.rows.push_back({{"load", std::string(LoadName(load))},
                               {"workload", workload.name},
                               {"duet_percent", Percent(paired)},
                               {"shuffled_percent", Percent(shuffled)},
                               {"shuffled_over_duet", shuffled / paired},
                               {"duet_ours_percent", Percent(OurWidth(measured.duet))},
                               {"disturbed_percent", Percent(disturbed / pairs)}});
      });
  if (!status.ok()) return status;
  for (const LoadKind load : plan->loads) {
    const std::string name(LoadName(load));
    AddGeometricMeans(
        {{"load", name}, {"workload", kGeometricMean}},
        {"duet_percent", "shuffled_percent", "shuffled_over_duet", "duet_ours_percent"},
        [&](const WidthsJson& row) { return row["load"] == name; }, &report);
  }
  return report;
}

}  // namespace duetbench::lab
