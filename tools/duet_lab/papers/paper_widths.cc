// RQ1 to RQ3 of the duet paper: `accuracy`, `shuffle` and `load`.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/papers/widths.h"

namespace duetbench::lab {
namespace {

using WidthsJson = nlohmann::ordered_json;

// Measurements of one workload, all A/A.
struct MeasuredWidths {
  uint64_t seed;
  std::map<std::string, duet_stat::BenchmarkPairs> pairs;  // by schedule
  StandardTimes standard;
};

// A column of the table: a number of the measurements, or of the columns before it.
struct WidthColumn {
  LabReport::Column column;
  double (*value)(const MeasuredWidths& measured, const WidthsJson& row);
};

WidthColumn Ratio(const char* key, const char* title,
                  double (*value)(const MeasuredWidths&, const WidthsJson& row)) {
  return {{key, title, 2}, value};
}

WidthColumn Paired(const char* title) {
  return {{"duet_percent", title, 3}, [](const MeasuredWidths& measured, const WidthsJson&) {
            return 100 * PaperWidth(measured.pairs.at("duet"), false, measured.seed);
          }};
}

WidthColumn Shuffled() {
  return {{"shuffled_percent", "shuffled", 3},
          [](const MeasuredWidths& measured, const WidthsJson&) {
            return 100 * PaperWidth(measured.pairs.at("duet"), true, measured.seed);
          }};
}

WidthColumn Ours() {
  return {{"duet_ours_percent", "ours", 3}, [](const MeasuredWidths& measured, const WidthsJson&) {
            return 100 * OurWidth(measured.pairs.at("duet"));
          }};
}

double StandardPercent(const MeasuredWidths& measured, const WidthsJson& /*row*/) {
  return 100 * StandardWidth(measured.standard, stats::OutlierRule::kRange20, measured.seed);
}

double StandardPlainPercent(const MeasuredWidths& measured, const WidthsJson& /*row*/) {
  return 100 * StandardWidth(measured.standard, stats::OutlierRule::kNone, measured.seed);
}

// Two runs of the standard method take as long as one of the duet.
double StandardAtEqualWallPercent(const MeasuredWidths& measured, const WidthsJson& /*row*/) {
  const StandardTimes half = {FirstPart(measured.standard.old_times, 0.5),
                              FirstPart(measured.standard.new_times, 0.5)};
  return 100 * StandardWidth(half, stats::OutlierRule::kRange20, measured.seed);
}

double DisturbedPercent(const MeasuredWidths& measured, const WidthsJson& /*row*/) {
  const duet_stat::BenchmarkPairs& duet = measured.pairs.at("duet");
  double disturbed = 0;
  double pairs = 0;
  for (std::size_t r = 0; r < duet.runs.size(); ++r) {
    const auto of_run = static_cast<double>(duet.origins[r].disturbed.size());
    disturbed += of_run;
    pairs += of_run + static_cast<double>(duet.runs[r].size());
  }
  return 100 * disturbed / pairs;
}

double Quotient(const WidthsJson& row, const char* key, const char* by) {
  return row[key].get<double>() / row[by].get<double>();
}

// One of the questions, and its table.
struct WidthQuestion {
  std::string name;
  std::vector<std::string> summary;
  std::vector<std::string> schedules;
  bool has_standard;  // the standard method, too
  std::vector<WidthColumn> columns;
  PaperDefaults full;
  PaperDefaults quick;
};

absl::StatusOr<MeasuredWidths> MeasureWidths(const PaperPlan& plan, const Workload& workload,
                                             const WidthQuestion& question) {
  MeasuredWidths measured{plan.seed, {}, {}};
  for (const std::string& schedule : question.schedules) {
    absl::StatusOr<duet_stat::BenchmarkPairs> pairs =
        CollectPairs(MakeDuetPlan(plan, workload, 0, 1, schedule));
    if (!pairs.ok()) return pairs.status();
    measured.pairs[schedule] = *std::move(pairs);
  }
  if (!question.has_standard) return measured;
  absl::StatusOr<StandardTimes> standard = CollectStandard(
      MakeDuetPlan(plan, workload, 0, 1, "duet").work, plan.runs, plan.run_seconds, plan.seed);
  if (!standard.ok()) return standard.status();
  measured.standard = *std::move(standard);
  return measured;
}

// A row of the geometric means over the rows of one load.
WidthsJson MeansOf(const WidthQuestion& question, const std::string& load,
                   const LabReport& report) {
  WidthsJson means = {{"load", load}, {"workload", "geometric mean"}};
  for (const WidthColumn& column : question.columns) {
    if (column.value == DisturbedPercent) continue;
    std::vector<double> values;
    for (const WidthsJson& row : report.rows) {
      if (row["load"] == load) values.push_back(row[column.column.key].get<double>());
    }
    means[column.column.key] = GeometricMean(values);
  }
  return means;
}

absl::StatusOr<LabReport> Answer(const WidthQuestion& question, const PaperOptions& options,
                                 const CommonOptions& common) {
  LabReport report;
  report.measurement = question.name;
  const absl::StatusOr<PaperPlan> plan =
      MakePaperPlan(options, common, question.full, question.quick, &report);
  if (!plan.ok()) return plan.status();
  report.summary.insert(report.summary.end(), question.summary.begin(), question.summary.end());
  report.columns = {{"load", "load"}, {"workload", "workload"}};
  for (const WidthColumn& column : question.columns) report.columns.push_back(column.column);
  ProgressLine progress;
  const auto total = static_cast<int>(plan->loads.size() * plan->workloads.size());
  int done = 0;
  const absl::Status status = UnderEachLoad(*plan, &report, [&](LoadKind load) -> absl::Status {
    for (const Workload* workload : plan->workloads) {
      progress.Show(absl::StrCat("load ", LoadName(load), ", ", workload->name), done++, total, 0);
      const absl::StatusOr<MeasuredWidths> measured = MeasureWidths(*plan, *workload, question);
      if (!measured.ok()) return measured.status();
      WidthsJson row = {{"load", std::string(LoadName(load))}, {"workload", workload->name}};
      for (const WidthColumn& column : question.columns) {
        row[column.column.key] = column.value(*measured, row);
      }
      report.rows.push_back(std::move(row));
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  std::vector<WidthsJson> means;
  for (const LoadKind load : plan->loads) {
    means.push_back(MeansOf(question, std::string(LoadName(load)), report));
  }
  report.rows.insert(report.rows.end(), means.begin(), means.end());
  return report;
}

Measure Ask(CLI::App& command, WidthQuestion question) {
  const auto options = std::make_shared<PaperOptions>();
  AddPaperOptions(command, options.get());
  return [options, question = std::move(question)](const CommonOptions& common) {
    return Answer(question, *options, common);
  };
}

}  // namespace

Measure AddAccuracy(CLI::App& command) {
  return Ask(
      command,
      {"accuracy",
       {"RQ1: widths in % of the 99 % intervals of A/A comparisons. duet, shuffled, standard: the "
        "procedures of the duet paper, each of as many runs of equal length; ours, crossed, "
        "interleaved: t intervals of this library",
        "gain: standard / duet; at equal wall time the standard method, which takes two runs where "
        "the duet takes one, has half of each",
        "published gains: 2.3 to 12.5 (geometric mean 5.03) on JVM workloads, 23.8 to 82.4 (37.4) "
        "on native ones, in clouds with neighbors"},
       {"duet", "crossed", "interleaved"},
       true,
       {Paired("duet"),
        Shuffled(),
        {{"standard_percent", "standard", 3}, StandardPercent},
        Ours(),
        {{"crossed_percent", "crossed", 3},
         [](const MeasuredWidths& measured, const WidthsJson&) {
           return 100 * OurWidth(measured.pairs.at("crossed"));
         }},
        {{"interleaved_percent", "interleaved", 3},
         [](const MeasuredWidths& measured, const WidthsJson&) {
           return 100 * OurWidth(measured.pairs.at("interleaved"));
         }},
        {{"standard_plain_percent", "std. not winsorized", 3}, StandardPlainPercent},
        {{"standard_equal_wall_percent", "std. at equal wall", 3}, StandardAtEqualWallPercent},
        Ratio("gain", "gain",
              [](const MeasuredWidths&, const WidthsJson& row) {
                return Quotient(row, "standard_percent", "duet_percent");
              }),
        Ratio("gain_equal_wall", "gain at equal wall",
              [](const MeasuredWidths&, const WidthsJson& row) {
                return Quotient(row, "standard_equal_wall_percent", "duet_percent");
              })},
       {WorkloadNames(), 10, 1, {"none"}},
       {{"integer", "cache", "memory", "sort"}, 6, 0.15, {"none"}}});
}

Measure AddShuffle(CLI::App& command) {
  return Ask(
      command,
      {"shuffle",
       {"RQ2: widths in % of 99 % intervals, duet : shuffled : standard, as in the paper's "
        "appendix; published geometric means of standard / shuffled: 1.02 and 1.03. Where threads "
        "of this machine preempt the workload it is more: the standard method averages times, the "
        "duet ratios geometrically"},
       {"duet"},
       true,
       {Paired("duet"),
        Shuffled(),
        {{"standard_percent", "standard", 3}, StandardPercent},
        Ratio("shuffled_over_duet", "shuffled / duet",
              [](const MeasuredWidths&, const WidthsJson& row) {
                return Quotient(row, "shuffled_percent", "duet_percent");
              }),
        Ratio("standard_over_shuffled", "standard / shuffled",
              [](const MeasuredWidths&, const WidthsJson& row) {
                return Quotient(row, "standard_percent", "shuffled_percent");
              })},
       {WorkloadNames(), 10, 1, {"none"}},
       {{"integer", "cache", "memory", "sort", "allocation", "interpreter"}, 6, 0.15, {"none"}}});
}

Measure AddLoad(CLI::App& command) {
  const std::vector<std::string> loads = {"none", "one", "both", "bursts", "memory"};
  return Ask(
      command,
      {"load",
       {"RQ3: widths in % of 99 % intervals by the paper's procedure, paired and shuffled, idle "
        "and "
        "under loads; ours: the t interval of the undisturbed pairs",
        "published: shuffling changes nothing on an idle host; on a busy one intervals are 5 (JVM) "
        "to 52 (native) times as wide. A neighbor outside of the machine, who slows both CPUs at "
        "once, cannot be made here; bursts stop both at once"},
       {"duet"},
       false,
       {Paired("paired"),
        Shuffled(),
        Ratio("shuffled_over_duet", "shuffled / paired",
              [](const MeasuredWidths&, const WidthsJson& row) {
                return Quotient(row, "shuffled_percent", "duet_percent");
              }),
        Ours(),
        {{"disturbed_percent", "disturbed pairs [%]", 1}, DisturbedPercent}},
       {WorkloadNames(), 10, 1, loads},
       {{"integer", "memory", "sort"}, 6, 0.15, loads}});
}

}  // namespace duetbench::lab
