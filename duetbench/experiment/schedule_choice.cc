#include "duetbench/experiment/schedule_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/select_pairs.h"
#include "duetbench/experiment/summarize.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/total_ratio.h"

namespace duetbench {
namespace {

// Forecast of a pilot.
struct Outlook {
  // Half the width of the interval of ln(ratio) after one second of such runs, in percent.
  double half_width = std::numeric_limits<double>::infinity();
  bool hits_one_variant = false;
  bool waited = false;

  bool IsBetterThan(const Outlook& other) const {
    return std::tie(hits_one_variant, waited, half_width) <
           std::tie(other.hits_one_variant, other.waited, other.half_width);
  }
};

bool HitsOneVariant(const stats::Decision& ratios) {
  return ratios.total.has_value() && stats::LieApart(*ratios.total, ratios.typical);
}

Outlook OutlookOf(const Pilot& pilot, const ExperimentOptions& options, double ns_per_tick) {
  Outlook outlook;
  const SelectedPairs selected = SelectPairs({&pilot.result, 1}, options, ns_per_tick);
  if (selected.runs.size() != 1) return outlook;
  const absl::StatusOr<stats::Decision> ratios =
      stats::Decide(selected.values, PolicyOf(options, 1));
  if (!ratios.ok()) return outlook;
  const stats::RatioInterval& interval = ratios->typical;
  if (!(interval.lo > 0) || !std::isfinite(interval.hi)) return outlook;
  outlook.half_width =
      100 * std::log(interval.hi / interval.lo) / 2 * std::sqrt(pilot.wall_ns * 1e-9);
  outlook.hits_one_variant = HitsOneVariant(*ratios);
  outlook.waited = pilot.waited;
  return outlook;
}

}  // namespace

double PilotRatio(const RunResult& pilot) {
  std::vector<double> ratios;
  for (const PairRecord& pair : pilot.pairs) {
    const bool counts = (pair.flags & kAlone) == 0 && pair.ticks[0] > 0 && pair.ticks[1] > 0;
    if (!counts) continue;
    // In blocks the faster variant has more iterations.
    ratios.push_back(pair.ticks[1] / pair.ticks[0] * static_cast<double>(pair.iterations[0]) /
                     static_cast<double>(pair.iterations[1]));
  }
  return ratios.empty() ? 1 : stats::Median(std::move(ratios));
}

ScheduleChoice ChooseSchedule(absl::Span<const Pilot> pilots, const ExperimentOptions& options,
                              double ns_per_tick) {
  ScheduleChoice choice;
  choice.schedule = pilots.front().schedule;
  Outlook best;
  best.hits_one_variant = true;
  best.waited = true;
  for (const Pilot& pilot : pilots) {
    const Outlook outlook = OutlookOf(pilot, options, ns_per_tick);
    if (!choice.reason.empty()) choice.reason += ", ";
    choice.reason += std::isfinite(outlook.half_width)
                         ? absl::StrFormat("%s %.2g %%", NameOf(pilot.schedule), outlook.half_width)
                         : absl::StrFormat("%s too few pairs", NameOf(pilot.schedule));
    if (outlook.waited) choice.reason += " but waits for CPUs";
    if (outlook.hits_one_variant) choice.reason += " but slow moments that hit one variant";
    if (!std::isfinite(outlook.half_width) || !outlook.IsBetterThan(best)) continue;
    best = outlook;
    choice.schedule = pilot.schedule;
  }
  choice.reason = absl::StrFormat("the pilots' intervals after a second: %s", choice.reason);
  return choice;
}

bool HitsOneVariant(absl::Span<const RunResult> results, const ExperimentOptions& options,
                    double ns_per_tick) {
  const SelectedPairs selected = SelectPairs(results, options, ns_per_tick);
  if (selected.runs.empty()) return false;
  const absl::StatusOr<stats::Decision> ratios =
      stats::Decide(selected.values, PolicyOf(options, 1));
  return ratios.ok() && HitsOneVariant(*ratios);
}

}  // namespace duetbench
