// RQ4 of the duet paper: `known-ratio`.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/papers/paper_plan.h"
#include "tools/duet_lab/papers/widths.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::lab {
namespace {

using RatioJson = nlohmann::ordered_json;

double MedianTime(const duet_stat::BenchmarkPairs& pairs) {
  std::vector<double> times;
  for (const stats::RunPairs& run : pairs.runs) {
    for (const stats::Pair& pair : run) {
      times.push_back(pair.old_time);
      times.push_back(pair.new_time);
    }
  }
  return stats::Median(std::move(times));
}

// Slow-down of an iteration beside another one, compared with running alone on either CPU (figure
// 7). Medians of all times, disturbed or not: what a load takes from both is in both.
absl::StatusOr<double> MeasureSlowdown(const PaperPlan& plan, const Workload& workload, double ms) {
  absl::StatusOr<duet_stat::BenchmarkPairs> together =
      CollectPairs(MakeDuetPlan(plan, workload, ms, 1, "duet"));
  if (!together.ok()) return together.status();
  duet_stat::SelectPairs(*together, /*keep_disturbed=*/true);
  std::vector<double> alone;
  for (const int cpu : plan.cpu_numbers) {
    for (int run = 0; run < (plan.quick ? 1 : (plan.runs + 1) / 2); ++run) {
      const absl::StatusOr<std::vector<double>> times =
          RunAlone({{workload.name, plan.Units(workload, ms)}, plan.run_seconds, cpu});
      if (!times.ok()) return times.status();
      alone.insert(alone.end(), times->begin(), times->end());
    }
  }
  return MedianTime(*together) / stats::Median(std::move(alone));
}

// `slowdown`: of an iteration beside another one, while both variants run.
RatioJson RowOf(duet_stat::BenchmarkPairs pairs, double slowdown, double truth) {
  const duet_stat::SelectedPairs selected = duet_stat::SelectPairs(pairs);
  duet_stat::DropEmptyRuns(pairs);
  const absl::StatusOr<stats::RatioInterval> interval = stats::ComputeInterval(pairs.runs);
  RatioJson row;
  if (interval.ok()) {
    row["ratio"] = interval->ratio;
    row["lo"] = interval->lo;
    row["hi"] = interval->hi;
  }
  // Nothing gets faster beside a partner: below 1 it is noise.
  row["predicted"] = 1 + (truth - 1) / std::max(1.0, slowdown);
  row["pairs"] = selected.pairs;
  row["dropped"] = selected.dropped;
  return row;
}

struct KnownRatioOptions : PaperOptions {
  double ratio = 2;
  std::vector<double> durations_ms;  // empty: the defaults
  std::string schedule = "duet";
};

absl::StatusOr<LabReport> MeasureKnownRatio(const KnownRatioOptions& options,
                                            const CommonOptions& common) {
  LabReport report;
  report.measurement = "known-ratio";
  const double truth = options.ratio;
  const std::vector<std::string> workloads = {"integer", "float", "cache", "memory"};
  const absl::StatusOr<PaperPlan> plan =
      MakePaperPlan(options, common, {workloads, 10, 1, {"none", "both"}},
                    {workloads, 3, 0.07, {"none", "both"}}, &report);
  if (!plan.ok()) return plan.status();
  std::vector<double> durations = options.durations_ms;
  if (durations.empty()) durations = {0.1, 10};
  if (options.durations_ms.empty() && !plan->quick) durations = {0.1, 1, 10, 100};
  report.context["ratio"] = truth;
  report.context["schedule"] = options.schedule;
  report.summary.push_back(absl::StrCat(
      "RQ4: the true ratio is ", truth,
      "; together/alone: how much longer an iteration takes beside its like than alone (figure 7); "
      "predicted: 1 + (ratio - 1) / that, at worst, where the longer variant ends alone (without "
      "fill)"));
  report.summary.emplace_back(
      "published: very near 2.0 at 100 ms in a private cloud, a little less under load, least for "
      "memory; together/alone 1 to 2 on hyperthreads, above 2 where CPU time is throttled");
  report.columns = {{"load", "load"},
                    {"workload", "workload"},
                    {"iteration_ms", "ms", 1},
                    {"fill", "fill"},
                    {"ratio", "ratio", 4},
                    {"lo", "lo", 4},
                    {"hi", "hi", 4},
                    {"predicted", "predicted", 3},
                    {"together_over_alone", "together/alone", 3},
                    {"pairs", "pairs"},
                    {"dropped", "dropped"}};
  const absl::Status status = AddRows(
      *plan, &report,
      [&](LoadKind, const Workload& workload) -> absl::StatusOr<std::vector<RatioJson>> {
        std::vector<RatioJson> rows;
        for (const double ms : durations) {
          // Ten pairs a run at least.
          PaperPlan sized = *plan;
          sized.run_seconds = std::max(plan->run_seconds, 10 * ms * 1e-3 * std::max(1.0, truth));
          if (plan->quick) sized.run_seconds = plan->run_seconds;
          const absl::StatusOr<double> slowdown = MeasureSlowdown(sized, workload, ms);
          if (!slowdown.ok()) return slowdown.status();
          for (const bool fill : {false, true}) {
            DuetPlan duet = MakeDuetPlan(sized, workload, ms, truth, options.schedule);
            duet.fill = fill;
            absl::StatusOr<duet_stat::BenchmarkPairs> pairs = CollectPairs(duet);
            if (!pairs.ok()) return pairs.status();
            rows.push_back(RowOf(*std::move(pairs), fill ? 1 : *slowdown, truth));
            rows.back()["iteration_ms"] = ms;
            rows.back()["fill"] = fill;
            rows.back()["together_over_alone"] = *slowdown;
          }
        }
        return rows;
      });
  if (!status.ok()) return status;
  return report;
}

}  // namespace

Measure AddKnownRatio(CLI::App& command) {
  const auto options = std::make_shared<KnownRatioOptions>();
  AddPaperOptions(command, options.get());
  command.add_option("--ratio", options->ratio, "the true one (default: 2)")
      ->check(CLI::Range(0.1, 10.0));
  command.add_option("--durations_ms", options->durations_ms, "lengths of an iteration: D,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1e-6, 1e4));
  command.add_option("--schedule", options->schedule, "of the duets (default: duet)");
  return [options](const CommonOptions& common) { return MeasureKnownRatio(*options, common); };
}

}  // namespace duetbench::lab
