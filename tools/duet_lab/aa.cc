#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/busy_processes.h"
#include "tools/duet_lab/experiments.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/observation.h"

namespace duetbench::lab {
namespace {

using Json = nlohmann::ordered_json;

Json MakeRow(const std::string& name, const Json& truth, const Accuracy& accuracy, int limit) {
  return {{"name", name},
          {"truth", truth},
          {"experiments", accuracy.experiments},
          {"errors", accuracy.errors},
          {"exclude_one", accuracy.exclude_one},
          {"exclude_truth", accuracy.exclude_truth},
          {"exclude_truth_limit", limit},
          {"false_verdicts", accuracy.false_verdicts},
          {"found", accuracy.found},
          {"median_width_percent", 100 * accuracy.median_width},
          {"largest_width_percent", 100 * accuracy.largest_width},
          {"median_error_percent", 100 * accuracy.median_error},
          {"largest_error_percent", 100 * accuracy.largest_error},
          {"bias_percent", 100 * accuracy.bias},
          {"median_wall_s", accuracy.median_wall}};
}

Json ToJson(const Observation& observation) {
  return {{"name", observation.name},       {"ratio", observation.ratio},
          {"lo", observation.lo},           {"hi", observation.hi},
          {"level", observation.level},     {"verdict", observation.verdict},
          {"runs", observation.runs},       {"pairs", observation.pairs},
          {"dropped", observation.dropped}, {"wall_s", observation.wall_seconds},
          {"error", observation.error}};
}

// A row for each benchmark, and one over all of them; checks what honest intervals keep.
void FillAa(const std::vector<BenchmarkGroup>& groups, double margin, LabReport* report) {
  std::vector<Observation> all;
  std::vector<double> all_truths;
  double level = 0.99;
  for (const BenchmarkGroup& group : groups) {
    const std::vector<double> truths(group.observations.size(), group.truth);
    const Accuracy accuracy = SummarizeAccuracy(group.observations, truths, margin);
    level = group.observations.front().level;
    report->rows.push_back(
        MakeRow(group.name, group.truth, accuracy, FalseAlarmLimit(accuracy.experiments, level)));
    all.insert(all.end(), group.observations.begin(), group.observations.end());
    all_truths.insert(all_truths.end(), truths.begin(), truths.end());
  }
  const Accuracy accuracy = SummarizeAccuracy(all, all_truths, margin);
  const int limit = FalseAlarmLimit(accuracy.experiments, level);
  report->rows.push_back(MakeRow("all", nullptr, accuracy, limit));
  report->checks.push_back(
      {absl::StrFormat("at most %d of %d intervals at %g %% exclude the truth (99.5 %% binomial)",
                       limit, accuracy.experiments, 100 * level),
       absl::StrCat(accuracy.exclude_truth), accuracy.exclude_truth <= limit});
  report->checks.push_back({"every experiment brings a result",
                            absl::StrCat(accuracy.errors, " errors"), accuracy.errors == 0});
  report->details["experiments"] = Json::array();
  for (const Observation& observation : all) {
    report->details["experiments"].push_back(ToJson(observation));
  }
}

std::vector<LabReport::Column> AaColumns() {
  return {{"name", "benchmark"},
          {"truth", "truth", 4},
          {"experiments", "n"},
          {"errors", "errors"},
          {"exclude_one", "excl. 1"},
          {"exclude_truth", "excl. truth"},
          {"exclude_truth_limit", "limit"},
          {"false_verdicts", "false"},
          {"found", "found"},
          {"median_width_percent", "width [%]", 3},
          {"largest_width_percent", "largest", 3},
          {"bias_percent", "bias [%]", 4},
          {"median_error_percent", "|error| [%]", 4},
          {"largest_error_percent", "largest", 4},
          {"median_wall_s", "wall [s]", 2}};
}

}  // namespace

absl::StatusOr<LabReport> MeasureAccuracy(Arguments& arguments) {
  absl::StatusOr<ExperimentPlan> read = ReadExperimentPlan(arguments, 20);
  if (!read.ok()) return read.status();
  ExperimentPlan plan = *std::move(read);
  const int64_t load = arguments.Whole("load", 0, 0, 1'000);
  const double margin = arguments.Number("margin", 0.01, 0, 0.999);
  LabReport report;
  report.measurement = "aa";
  const absl::StatusOr<Machine> machine = DescribeMachine(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;

  const std::vector<std::string>& rest = arguments.rest();
  plan.arguments.insert(plan.arguments.begin(), rest.begin(), rest.end());
  plan.arguments.push_back(absl::StrCat("--duet_margin=", margin));
  report.context["binaries"] = plan.binaries;
  report.context["arguments"] = plan.arguments;
  report.context["experiments"] = plan.experiments;
  report.context["load"] = load;
  report.context["margin"] = margin;
  report.context["seed"] = plan.seed;
  report.summary.push_back(absl::StrFormat(
      "%d experiments with each of %d programs, beside %d busy processes; widths and errors "
      "relative to the estimate and the truth",
      plan.experiments, plan.binaries.size(), load));

  const absl::StatusOr<BusyProcesses> busy = BusyProcesses::Start(static_cast<int>(load));
  if (!busy.ok()) return busy.status();
  absl::StatusOr<std::vector<BenchmarkGroup>> groups = RunExperiments(plan);
  if (!groups.ok()) return groups.status();
  if (groups->empty()) return absl::CancelledError("interrupted before there was a result");
  report.context["interrupted"] = WasInterrupted();
  if (WasInterrupted()) report.summary.emplace_back("interrupted: what was measured by then");
  std::sort(groups->begin(), groups->end(),
            [](const BenchmarkGroup& a, const BenchmarkGroup& b) { return a.name < b.name; });
  report.columns = AaColumns();
  FillAa(*groups, margin, &report);
  return report;
}

}  // namespace duetbench::lab
