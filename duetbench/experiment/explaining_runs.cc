#include "duetbench/experiment/explaining_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/explanation_json.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ratio_format.h"

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
  const auto again = stats::Decide(selected, policy);
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

Explanation NotExplained(const std::string& error) {
  return {{absl::StrCat("not explained: ", Printable(error))},
          {},
          nlohmann::json({{"error", Printable(error)}}).dump()};
}

Explanation ExplainByRuns(std::vector<RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick, const Estimate& estimate, bool with_code,
                          const std::function<absl::StatusOr<std::vector<CallgrindFile>>()>& count,
                          const ReportTool& tool) {
  const std::string error = WhyNotAgain(results, options, ns_per_tick, estimate);
  if (!error.empty()) return NotExplained(error);
  RecordedStacks recorded;
  for (RunResult& result : results) {
    RunStacks& stacks = recorded.runs.emplace_back();
    for (int v = 0; v < 2; ++v) stacks.variants[v] = std::move(result.stacks[v]);
  }
  std::copy_n(estimate.time_ns, 2, recorded.time_ns);
  recorded.level = estimate.interval.level;
  recorded.with_code = with_code;
  absl::StatusOr<std::vector<CallgrindFile>> counts = count();
  if (counts.ok()) {
    recorded.counts = *std::move(counts);
  } else if (static bool has_told = false; !std::exchange(has_told, true)) {
    std::fprintf(stderr, "duetbench: explained without exact counts: %s\n",
                 Printable(std::string(counts.status().message())).c_str());
  }
  std::string recording;
  nlohmann::json::to_cbor(recorded, recording);
  const absl::StatusOr<std::string> answer = tool("explain", recording);
  if (!answer.ok()) return NotExplained(std::string(answer.status().message()));
  auto explanation = nlohmann::json::parse(*answer).get<Explanation>();
  for (std::string& line : explanation.lines) line = Printable(line);
  for (std::string& line : explanation.listing) line = Printable(line);
  return explanation;
}

}  // namespace duetbench
