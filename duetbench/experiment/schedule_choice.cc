#include "duetbench/experiment/schedule_choice.h"

#include <cmath>
#include <limits>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/select_pairs.h"
#include "duetbench/stats/interval.h"

namespace duetbench {
namespace {

// Half the width of the interval of ln(ratio) after one second of such runs, in percent.
double HalfWidth(const Pilot& pilot, const ExperimentOptions& options, double ns_per_tick) {
  const SelectedPairs selected = SelectPairs({&pilot.result, 1}, options, ns_per_tick);
  if (selected.runs.size() != 1) return std::numeric_limits<double>::infinity();
  const absl::StatusOr<stats::RatioInterval> interval =
      stats::EwcInterval(selected.runs[0], stats::Estimator::kTrimmed, options.level);
  if (!interval.ok() || !(interval->lo > 0) || !std::isfinite(interval->hi)) {
    return std::numeric_limits<double>::infinity();
  }
  return 100 * std::log(interval->hi / interval->lo) / 2 * std::sqrt(pilot.wall_ns * 1e-9);
}

}  // namespace

ScheduleChoice ChooseSchedule(absl::Span<const Pilot> pilots, const ExperimentOptions& options,
                              double ns_per_tick) {
  ScheduleChoice choice;
  choice.schedule = pilots.front().schedule;
  double best = std::numeric_limits<double>::infinity();
  for (const Pilot& pilot : pilots) {
    const double width = HalfWidth(pilot, options, ns_per_tick);
    if (!choice.reason.empty()) choice.reason += ", ";
    choice.reason += std::isfinite(width)
                         ? absl::StrFormat("%s %.2g %%", NameOf(pilot.schedule), width)
                         : absl::StrFormat("%s too few pairs", NameOf(pilot.schedule));
    if (width < best) {
      best = width;
      choice.schedule = pilot.schedule;
    }
  }
  choice.reason = absl::StrFormat("the pilots' intervals after a second: %s", choice.reason);
  return choice;
}

}  // namespace duetbench
