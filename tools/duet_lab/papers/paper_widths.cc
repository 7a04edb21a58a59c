// RQ1 to RQ3 of the duet paper: `accuracy`.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/papers/widths.h"

namespace duetbench::lab {
namespace {

using WidthsJson = nlohmann::ordered_json;

// Measurements of one workload, all A/A.
struct MeasuredWidths {
  std::map<std::string, duet_stat::BenchmarkPairs> pairs;  // by schedule
  StandardTimes standard;
};

absl::StatusOr<MeasuredWidths> MeasureWidths(const PaperPlan& plan, const Workload& workload) {
  MeasuredWidths measured;
  for (const char* schedule : {"duet", "crossed", "interleaved"}) {
    absl::StatusOr<duet_stat::BenchmarkPairs> pairs =
        CollectPairs(MakeDuetPlan(plan, workload, 0, 1, schedule));
    if (!pairs.ok()) return pairs.status();
    measured.pairs[schedule] = *std::move(pairs);
  }
  absl::StatusOr<StandardTimes> standard = CollectStandard(
      MakeDuetPlan(plan, workload, 0, 1, "duet").work, plan.runs, plan.run_seconds, plan.seed);
  if (!standard.ok()) return standard.status();
  measured.standard = *std::move(standard);
  return measured;
}

double DisturbedShare(const duet_stat::BenchmarkPairs& duet) {
  double disturbed = 0;
  double pairs = 0;
  for (std::size_t r = 0; r < duet.runs.size(); ++r) {
    const auto of_run = static_cast<double>(duet.origins[r].disturbed.size());
    disturbed += of_run;
    pairs += of_run + static_cast<double>(duet.runs[r].size());
  }
  return disturbed / pairs;
}

const std::vector<LabReport::Column>& WidthColumns() {
  static const auto* const columns =
      new std::vector<LabReport::Column>{{"duet_percent", "duet", 3},
                                         {"shuffled_percent", "shuffled", 3},
                                         {"standard_percent", "standard", 3},
                                         {"duet_ours_percent", "ours", 3},
                                         {"crossed_percent", "crossed", 3},
                                         {"interleaved_percent", "interleaved", 3},
                                         {"standard_plain_percent", "std. not winsorized", 3},
                                         {"standard_equal_wall_percent", "std. at equal wall", 3},
                                         {"gain", "gain", 2},
                                         {"gain_equal_wall", "gain at equal wall", 2},
                                         {"shuffled_over_duet", "shuffled / duet", 2},
                                         {"standard_over_shuffled", "standard / shuffled", 2}};
  return *columns;
}

WidthsJson RowOf(const MeasuredWidths& measured, uint64_t seed) {
  const duet_stat::BenchmarkPairs& pairs = measured.pairs.at("duet");
  const auto standard_width = [&](const StandardTimes& times, stats::OutlierRule winsorize) {
    return 100 * StandardWidth(times, winsorize, seed);
  };
  const double duet = 100 * PaperWidth(pairs, false, seed);
  const double shuffled = 100 * PaperWidth(pairs, true, seed);
  const double standard = standard_width(measured.standard, stats::OutlierRule::kRange20);
  // Two runs of the standard method take as long as one of the duet.
  const double at_equal_wall = standard_width(
      {FirstPart(measured.standard.old_times, 0.5), FirstPart(measured.standard.new_times, 0.5)},
      stats::OutlierRule::kRange20);
  return {{"duet_percent", duet},
          {"shuffled_percent", shuffled},
          {"standard_percent", standard},
          {"duet_ours_percent", 100 * OurWidth(pairs)},
          {"crossed_percent", 100 * OurWidth(measured.pairs.at("crossed"))},
          {"interleaved_percent", 100 * OurWidth(measured.pairs.at("interleaved"))},
          {"standard_plain_percent", standard_width(measured.standard, stats::OutlierRule::kNone)},
          {"standard_equal_wall_percent", at_equal_wall},
          {"gain", standard / duet},
          {"gain_equal_wall", at_equal_wall / duet},
          {"shuffled_over_duet", shuffled / duet},
          {"standard_over_shuffled", standard / shuffled},
          {"disturbed_percent", 100 * DisturbedShare(pairs)}};
}

absl::StatusOr<LabReport> MeasureAccuracy(const PaperOptions& options,
                                          const CommonOptions& common) {
  LabReport report;
  report.measurement = "accuracy";
  const absl::StatusOr<PaperPlan> plan =
      MakePaperPlan(options, common, {WorkloadNames(), 10, 1, {"none"}},
                    {{"integer", "cache", "memory", "sort"}, 6, 0.15, {"none"}}, &report);
  if (!plan.ok()) return plan.status();
  for (const char* line :
       {"RQ1: widths in % of the 99 % intervals of A/A comparisons. duet, shuffled, standard: the "
        "procedures of the duet paper, each of as many runs of equal length; ours, crossed, "
        "interleaved: t intervals of this library",
        "gain: standard / duet; at equal wall time the standard method, which takes two runs where "
        "the duet takes one, has half of each",
        "published gains: 2.3 to 12.5 (geometric mean 5.03) on JVM workloads, 23.8 to 82.4 (37.4) "
        "on native ones, in clouds with neighbors",
        "RQ2: published geometric means of standard / shuffled: 1.02 and 1.03. Where threads of "
        "this machine preempt the workload it is more: the standard method averages times, the "
        "duet ratios geometrically",
        "RQ3: published: shuffling changes nothing on an idle host; on a busy one intervals are 5 "
        "(JVM) to 52 (native) times as wide. A neighbor outside of the machine, who slows both "
        "CPUs at once, cannot be made here; the load 'bursts' stops both at once"}) {
    report.summary.emplace_back(line);
  }
  report.columns = {{"load", "load"}, {"workload", "workload"}};
  report.columns.insert(report.columns.end(), WidthColumns().begin(), WidthColumns().end());
  report.columns.push_back({"disturbed_percent", "disturbed pairs [%]", 1});
  const absl::Status status =
      AddRows(*plan, &report,
              [&](LoadKind, const Workload& workload) -> absl::StatusOr<std::vector<WidthsJson>> {
                const absl::StatusOr<MeasuredWidths> measured = MeasureWidths(*plan, workload);
                if (!measured.ok()) return measured.status();
                return std::vector<WidthsJson>{RowOf(*measured, plan->seed)};
              });
  if (!status.ok()) return status;
  AddMeans(*plan, WidthColumns(), &report);
  return report;
}

}  // namespace

Measure AddAccuracy(CLI::App& command) {
  const auto options = std::make_shared<PaperOptions>();
  AddPaperOptions(command, options.get());
  return [options](const CommonOptions& common) { return MeasureAccuracy(*options, common); };
}

}  // namespace duetbench::lab
