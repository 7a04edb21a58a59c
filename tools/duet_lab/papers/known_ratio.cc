// RQ4 of the duet paper: `known-ratio`.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/report/progress.h"
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
      CollectPairs(MakeDuetPlan(plan, workload, ms, 1, "duet"), plan.interrupted);
  if (!together.ok()) return together.status();
  duet_stat::SelectPairs(*together, /*keep_disturbed=*/true);
  std::vector<double> alone;
  for (const int cpu : plan.cpu_numbers) {
    for (int run = 0; run < (plan.quick ? 1 : (plan.runs + 1) / 2); ++run) {
      AlonePlan one;
      one.work = {workload.name, plan.Units(workload, ms)};
      one.seconds = plan.run_seconds;
      one.cpu = cpu;
      const absl::StatusOr<std::vector<double>> times = RunAlone(one, plan.interrupted);
      if (!times.ok()) return times.status();
      alone.insert(alone.end(), times->begin(), times->end());
    }
  }
  return MedianTime(*together) / stats::Median(std::move(alone));
}

absl::StatusOr<std::vector<double>> ReadDurations(const std::string& text) {
  std::vector<double> durations;
  for (const absl::string_view word : absl::StrSplit(text, ',')) {
    double ms = 0;
    if (!absl::SimpleAtod(word, &ms) || !(ms > 0) || ms > 10'000) {
      return absl::InvalidArgumentError(
          absl::StrCat("--durations_ms: '", word, "' should be a number of milliseconds"));
    }
    durations.push_back(ms);
  }
  return durations;
}

}  // namespace

absl::StatusOr<LabReport> MeasureKnownRatio(Arguments& arguments) {
  LabReport report;
  report.measurement = "known-ratio";
  const double truth = arguments.Number("ratio", 2, 0.1, 10);
  const std::string schedule = arguments.Text("schedule", "duet");
  const std::string durations_text = arguments.Text("durations_ms", "");
  absl::StatusOr<PaperPlan> plan =
      ReadPaperPlan(arguments, {"integer,float,cache,memory", 10, 1, "none,both"},
                    {"integer,float,cache,memory", 3, 0.07, "none,both"}, &report);
  if (!plan.ok()) return plan.status();
  const absl::StatusOr<std::vector<double>> durations =
      ReadDurations(!durations_text.empty() ? durations_text
                    : plan->quick           ? "0.1,10"
                                            : "0.1,1,10,100");
  if (!durations.ok()) return durations.status();
  report.context["ratio"] = truth;
  report.context["schedule"] = schedule;
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
  ProgressLine progress;
  const auto total =
      static_cast<int>(plan->loads.size() * plan->workloads.size() * durations->size() * 2);
  int done = 0;
  const absl::Status status = UnderEachLoad(*plan, &report, [&](LoadKind load) -> absl::Status {
    for (const Workload* workload : plan->workloads) {
      for (const double ms : *durations) {
        // Ten pairs a run at least.
        PaperPlan sized = *plan;
        sized.run_seconds = std::max(plan->run_seconds, 10 * ms * 1e-3 * std::max(1.0, truth));
        if (plan->quick) sized.run_seconds = plan->run_seconds;
        const absl::StatusOr<double> slowdown = MeasureSlowdown(sized, *workload, ms);
        if (!slowdown.ok()) return slowdown.status();
        for (const bool fill : {false, true}) {
          progress.Show(absl::StrCat("load ", LoadName(load), ", ", workload->name), done++, total,
                        0);
          DuetPlan duet = MakeDuetPlan(sized, *workload, ms, truth, schedule);
          duet.fill = fill;
          absl::StatusOr<duet_stat::BenchmarkPairs> pairs = CollectPairs(duet, plan->interrupted);
          if (!pairs.ok()) return pairs.status();
          const duet_stat::SelectedPairs selected = duet_stat::SelectPairs(*pairs);
          duet_stat::DropEmptyRuns(*pairs);
          const absl::StatusOr<stats::RatioInterval> interval = stats::ComputeInterval(pairs->runs);
          RatioJson row = {{"load", std::string(LoadName(load))},
                           {"workload", workload->name},
                           {"iteration_ms", ms},
                           {"fill", fill}};
          if (interval.ok()) {
            row["ratio"] = interval->ratio;
            row["lo"] = interval->lo;
            row["hi"] = interval->hi;
          }
          // Nothing gets faster beside a partner: below 1 it is noise.
          row["predicted"] = fill ? truth : 1 + (truth - 1) / std::max(1.0, *slowdown);
          row["together_over_alone"] = *slowdown;
          row["pairs"] = selected.pairs;
          row["dropped"] = selected.dropped;
          report.rows.push_back(std::move(row));
        }
      }
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return report;
}

}  // namespace duetbench::lab
