#include "tools/duet_lab/papers/paper_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/papers/widths.h"
#include "tools/duet_lab/program_run.h"

namespace duetbench::lab {
namespace {

// A ratio of 1.005 needs at least 200 units to be exact.
constexpr int64_t kUnitStep = 200;

absl::Status BadName(const char* flag, const absl::Status& status) {
  return absl::InvalidArgumentError(absl::StrCat("--", flag, ": ", status.message()));
}

}  // namespace

int64_t PaperPlan::Units(const Workload& workload, double ms) const {
  if (ms <= 0) ms = iteration_ms;
  const double units = ms * 1e6 / unit_ns.at(workload.name);
  if (units < 4 * kUnitStep) return std::max<int64_t>(1, std::llround(units));
  return std::llround(units / kUnitStep) * kUnitStep;
}

int64_t ScaledUnits(int64_t units, double ratio) {
  return std::max<int64_t>(1, std::llround(static_cast<double>(units) * ratio));
}

void AddPaperOptions(CLI::App& command, PaperOptions* options) {
  command.add_option("--workloads", options->workloads, "NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--loads", options->loads, "NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--runs", options->runs, "of an experiment")->check(CLI::Range(2, 100'000));
  command.add_option("--run_seconds", options->run_seconds, "of measuring in a run")
      ->check(CLI::Range(0.001, 3600.0));
  command
      .add_option("--iteration_ms", options->iteration_ms, "length of an iteration (default: 1)")
      ->check(CLI::Range(1e-6, 10'000.0));
  command.add_flag("--quick", options->quick, "less than a minute, roughly");
}

absl::StatusOr<PaperPlan> MakePaperPlan(const PaperOptions& options, const CommonOptions& common,
                                        const PaperDefaults& full, const PaperDefaults& quick,
                                        LabReport* report) {
  const PaperDefaults& defaults = options.quick ? quick : full;
  PaperPlan plan;
  plan.quick = options.quick;
  plan.runs = options.runs > 0 ? options.runs : defaults.runs;
  plan.run_seconds = options.run_seconds > 0 ? options.run_seconds : defaults.run_seconds;
  plan.iteration_ms = options.iteration_ms;
  plan.seed = common.seed;
  const absl::StatusOr<Machine> machine = DescribeMachine(common.cpus, report);
  if (!machine.ok()) return machine.status();
  for (const std::string& name :
       options.workloads.empty() ? defaults.workloads : options.workloads) {
    const absl::StatusOr<const Workload*> workload = FindWorkload(name);
    if (!workload.ok()) return BadName("workloads", workload.status());
    plan.workloads.push_back(*workload);
  }
  for (const std::string& name : options.loads.empty() ? defaults.loads : options.loads) {
    const absl::StatusOr<LoadKind> load = ParseLoad(name);
    if (!load.ok()) return BadName("loads", load.status());
    plan.loads.push_back(*load);
  }
  plan.cpu_numbers.assign(std::begin(machine->cpus.cpus), std::end(machine->cpus.cpus));
  plan.cpus = absl::StrJoin(plan.cpu_numbers, ",");
  CatchInterrupts();
  for (const Workload* workload : plan.workloads) {
    plan.unit_ns[workload->name] = MeasureUnitNs(*workload);
  }
  report->context["quick"] = plan.quick;
  report->context["runs"] = plan.runs;
  report->context["run_seconds"] = plan.run_seconds;
  report->context["seed"] = plan.seed;
  report->context["unit_ns"] = plan.unit_ns;
  report->summary.push_back(absl::StrFormat("%d runs of %g s an experiment, 99 %% intervals",
                                            plan.runs, plan.run_seconds));
  if (plan.quick) {
    report->summary.emplace_back(
        "QUICK: few short runs. The order of magnitude is all that these figures show; another try "
        "gives others");
  }
  return plan;
}

absl::Status AddRows(const PaperPlan& plan, LabReport* report, const MeasureRows& measure) {
  ProgressLine progress;
  const auto total = static_cast<int>(plan.loads.size() * plan.workloads.size());
  int done = 0;
  for (const LoadKind kind : plan.loads) {
    const std::string name(LoadName(kind));
    const absl::StatusOr<Load> load = Load::Start(kind, plan.cpu_numbers);
    if (!load.ok()) {
      report->summary.push_back(
          absl::StrCat("without the load '", name, "': ", load.status().message()));
      continue;
    }
    for (const Workload* workload : plan.workloads) {
      progress.Show(absl::StrCat("load ", name, ", ", workload->name), done++, total, 0);
      const absl::StatusOr<std::vector<nlohmann::ordered_json>> rows = measure(kind, *workload);
      if (absl::IsCancelled(rows.status())) {
        report->context["interrupted"] = true;
        report->summary.emplace_back("interrupted: what was measured by then");
        return absl::OkStatus();
      }
      if (!rows.ok()) return rows.status();
      for (const nlohmann::ordered_json& columns : *rows) {
        nlohmann::ordered_json& row = report->rows.emplace_back();
        row = {{"load", name}, {"workload", workload->name}};
        row.update(columns);
      }
    }
  }
  return absl::OkStatus();
}

void AddMeans(const PaperPlan& plan, const std::vector<LabReport::Column>& columns,
              LabReport* report) {
  for (const LoadKind load : plan.loads) {
    const std::string name(LoadName(load));
    nlohmann::ordered_json means = {{"load", name}, {"workload", "geometric mean"}};
    for (const LabReport::Column& column : columns) {
      std::vector<double> values;
      for (const nlohmann::ordered_json& row : report->rows) {
        if (row["load"] == name) values.push_back(row[column.key].get<double>());
      }
      means[column.key] = GeometricMean(values);
    }
    report->rows.push_back(std::move(means));
  }
}

DuetPlan MakeDuetPlan(const PaperPlan& plan, const Workload& workload, double ms, double ratio,
                      const std::string& schedule) {
  DuetPlan duet;
  const int64_t units = plan.Units(workload, ms);
  duet.work = {workload.name, units, ScaledUnits(units, ratio)};
  duet.schedule = schedule;
  duet.runs = plan.runs;
  duet.run_seconds = plan.run_seconds;
  duet.seed = plan.seed;
  duet.cpus = plan.cpus;
  return duet;
}

}  // namespace duetbench::lab
