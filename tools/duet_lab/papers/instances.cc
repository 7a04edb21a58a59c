// The experiment of Laaber et al. on one machine: `instances`.
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/stats/method_names.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::lab {

namespace {

struct InstancesOptions : PaperOptions {
  int instances = 0;  // 0: the default
  int trials = 0;
  int resamplings = 100;
  bool mds = false;
  std::string out;
};

absl::StatusOr<LabReport> MeasureInstances(const InstancesOptions& asked,
                                           const CommonOptions& common) {
  LabReport report;
  report.measurement = "instances";
  const absl::StatusOr<PaperPlan> plan =
      MakePaperPlan(asked, common, {{"sort", "memory"}, 10, 0.1, {"none"}},
                    {{"sort"}, 2, 0.03, {"none"}}, &report);
  if (!plan.ok()) return plan.status();
  const int instances = asked.instances > 0 ? asked.instances : plan->quick ? 10 : 40;
  const int trials = asked.trials > 0 ? asked.trials : plan->quick ? 6 : 10;
  report.context["instances"] = instances;
  report.context["trials"] = trials;
  report.summary.push_back(absl::StrFormat(
      "%d instances of %d trials each, a trial being a process that executes the workload alone "
      "for %g s; this is one machine, so an instance is a stretch of time on it: what differs "
      "between machines is not in these figures",
      instances, trials, plan->run_seconds));
  report.summary.push_back(absl::StrFormat(
      "false alarms in %% of %d resamplings of test and control, on different instances "
      "(instances) or with different trials of the same ones (trials); rules at 5 %%. Published "
      "for one benchmark on nine clouds, intervals that overlap: 71 to 92 %% on different "
      "instances, 26 to 67 %% on the same one at 1 x 1; at most 5 %% at 3 x 5 on the same ones",
      asked.resamplings));
  report.columns = {{"workload", "workload"},   {"sampling", "sampling"},
                    {"instances", "instances"}, {"trials", "trials"},
                    {"rule", "rule"},           {"false_alarms_percent", "false alarms [%]", 1}};
  if (asked.mds) {
    report.columns.push_back({"mds_percent", "detectable [%]", 1});
    report.columns.push_back({"paper_mds_percent", "by the paper [%]", 1});
  }
  std::ofstream file;
  if (!asked.out.empty()) {
    file.open(asked.out, std::ios::trunc);
    file << "benchmark,machine,run,time_ns\n";
    if (!file.good()) return absl::UnavailableError(absl::StrCat("cannot write ", asked.out));
  }
  ProgressLine progress;
  const absl::Status status = UnderEachLoad(*plan, &report, [&](LoadKind load) -> absl::Status {
    for (const Workload* workload : plan->workloads) {
      stats::Instances all;
      for (int i = 0; i < instances; ++i) {
        progress.Show(workload->name, i, instances, 0);
        all.times.emplace_back();
        for (int t = 0; t < trials; ++t) {
          AlonePlan alone;
          alone.work = {workload->name, plan->Units(*workload)};
          alone.seconds = plan->run_seconds;
          absl::StatusOr<std::vector<double>> times = RunAlone(alone);
          if (!times.ok()) return times.status();
          if (file.is_open()) {
            for (const double time : *times) {
              file << absl::StrFormat("%s/%s,%d,%d,%.17g\n", workload->name,
                                      std::string(LoadName(load)), i, t, time);
            }
          }
          all.times.back().push_back(*std::move(times));
        }
      }
      stats::GridOptions options;
      options.resamplings = asked.resamplings;
      options.seed = plan->seed;
      if (asked.mds) options.slowdowns = stats::PaperSlowdowns();
      const absl::StatusOr<std::vector<stats::GridCell>> cells = stats::EvaluateGrid(all, options);
      if (!cells.ok()) return cells.status();
      for (const stats::GridCell& cell : *cells) {
        nlohmann::ordered_json row = {{"workload", workload->name},
                                      {"load", std::string(LoadName(load))},
                                      {"sampling", std::string(stats::SamplingName(cell.sampling))},
                                      {"instances", cell.instances},
                                      {"trials", cell.trials},
                                      {"rule", stats::NameOf(stats::kRules, cell.rule)},
                                      {"false_alarms_percent", 100 * cell.FalseAlarmRate()}};
        if (asked.mds) {
          row["mds_percent"] = 100 * stats::BinomialMds(cell, options.slowdowns, options.alpha);
          row["paper_mds_percent"] = 100 * stats::PaperMds(cell, options.slowdowns);
        }
        report.rows.push_back(std::move(row));
      }
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return report;
}

}  // namespace

Measure AddInstances(CLI::App& command) {
  const auto options = std::make_shared<InstancesOptions>();
  AddPaperOptions(command, options.get());
  command.add_option("--instances", options->instances, "(default: 40)")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--trials", options->trials, "of an instance (default: 10)")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--resamplings", options->resamplings, "(default: 100)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_flag("--mds", options->mds, "also the smallest slow-down that each rule detects");
  command.add_option("--out", options->out, "a file for the times, for duet_stat --grid");
  return [options](const CommonOptions& common) { return MeasureInstances(*options, common); };
}

}  // namespace duetbench::lab
