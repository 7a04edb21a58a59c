#include "duetbench/runner/explaining_runs.h"

#include <cmath>
#include <cstdio>
#include <future>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decision/decision.h"
#include "duetbench/estimate/select_pairs.h"
#include "duetbench/report/printable.h"
#include "duetbench/text/ratio_format.h"

namespace duetbench {
namespace {

// Chosen: by this share of itself, the difference may be another one in the explaining runs.
constexpr double kOtherShare = 0.5;

// Empty if the runs show the difference of `estimate` again, else their ratio.
std::string WhyNotAgain(const std::vector<RunResult>& results, const ExperimentOptions& options,
                        double ns_per_tick, const Estimate& estimate) {
  const SelectedPairs selected = SelectPairs(results, options, ns_per_tick);
  stats::DecisionPolicy policy = PolicyOf(options, 1);
  policy.estimand = estimate.total_decides ? stats::Estimand::kTotal : stats::Estimand::kTypical;
  const auto again = stats::Decide(selected.values, policy);
  if (!again.ok()) return std::string(again.status().message());
  const stats::RatioInterval& first = estimate.interval;
  const stats::RatioInterval& shown = again->interval;
  const double allowed = std::exp(kOtherShare * std::abs(std::log(first.ratio)));
  const bool differs = first.ratio > 1 ? shown.lo > 1 : shown.hi < 1;
  if (differs && shown.lo <= first.hi * allowed && shown.hi >= first.lo / allowed) return "";
  return absl::StrCat("the runs that recorded stacks do not show the difference again: ",
                      RatioText(shown), " ", IntervalText(shown));
}

}  // namespace

Explanation ExplainByRuns(
    std::vector<RunResult> results, const ExperimentOptions& options, double ns_per_tick,
    const Estimate& estimate, CodeNames* names,
    const std::function<absl::StatusOr<std::vector<InstructionCounts>>()>& count) {
  Explanation failed;
  failed.error = WhyNotAgain(results, options, ns_per_tick, estimate);
  if (!failed.error.empty()) return failed;
  std::vector<RunStacks> runs;
  for (RunResult& result : results) {
    RunStacks& stacks = runs.emplace_back();
    for (int v = 0; v < 2; ++v) stacks.variants[v] = std::move(result.stacks[v]);
  }
  // Beside the search for names, and not beside samples: counts are exact there, times are not.
  auto counting = std::async(std::launch::async, count);
  Explanation explanation = Explain(runs, estimate.time_ns, estimate.interval.level, names);
  const auto counts = counting.get();
  if (counts.ok()) {
    AddCounts((*counts)[0], (*counts)[1], &explanation);
  } else if (static bool has_told = false; !std::exchange(has_told, true)) {
    std::fprintf(stderr, "duetbench: explained without exact counts: %s\n",
                 Printable(std::string(counts.status().message())).c_str());
  }
  return explanation;
}

}  // namespace duetbench
