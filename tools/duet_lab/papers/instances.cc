// The experiment of Laaber et al. on one machine: `instances`.
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/stats/method_names.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::lab {

absl::StatusOr<LabReport> MeasureInstances(Arguments& arguments) {
  LabReport report;
  report.measurement = "instances";
  const int64_t asked_instances = arguments.Whole("instances", 0, 0, 10'000);
  const int64_t asked_trials = arguments.Whole("trials", 0, 0, 10'000);
  const std::string out = arguments.Text("out", "");
  const bool mds = arguments.Switch("mds");
  const int64_t resamplings = arguments.Whole("resamplings", 100, 1, 1'000'000);
  const absl::StatusOr<PaperPlan> plan = ReadPaperPlan(arguments, {"sort,memory", 10, 0.1, "none"},
                                                       {"sort", 2, 0.03, "none"}, &report);
  if (!plan.ok()) return plan.status();
  const int instances = asked_instances > 0 ? static_cast<int>(asked_instances)
                        : plan->quick       ? 10
                                            : 40;
  const int trials = asked_trials > 0 ? static_cast<int>(asked_trials) : plan->quick ? 6 : 10;
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
      resamplings));
  report.columns = {{"workload", "workload"},   {"sampling", "sampling"},
                    {"instances", "instances"}, {"trials", "trials"},
                    {"rule", "rule"},           {"false_alarms_percent", "false alarms [%]", 1}};
  if (mds) {
    report.columns.push_back({"mds_percent", "detectable [%]", 1});
    report.columns.push_back({"paper_mds_percent", "by the paper [%]", 1});
  }
  std::ofstream file;
  if (!out.empty()) {
    file.open(out, std::ios::trunc);
    file << "benchmark,machine,run,time_ns\n";
    if (!file.good()) return absl::UnavailableError(absl::StrCat("cannot write ", out));
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
          absl::StatusOr<std::vector<double>> times = RunAlone(alone, plan->interrupted);
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
      options.resamplings = static_cast<int>(resamplings);
      options.seed = plan->seed;
      if (mds) options.slowdowns = stats::PaperSlowdowns();
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
        if (mds) {
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

}  // namespace duetbench::lab
