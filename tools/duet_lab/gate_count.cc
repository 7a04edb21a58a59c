#include "tools/duet_lab/gate_count.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "duetbench/stats/robust.h"

namespace duetbench::lab {

GateCount CountGates(absl::Span<const Observation> observations, absl::Span<const double> truths,
                     double limit) {
  GateCount count;
  std::vector<double> runs;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& observation = observations[i];
    if (!observation.error.empty() || !observation.gate.has_value()) {
      ++count.errors;
      continue;
    }
    ++count.gates;
    const bool holds = truths[i] <= limit;
    if (*observation.gate > 0) {
      ++count.passed;
      if (!holds) ++count.false_decisions;
    } else if (*observation.gate < 0) {
      ++count.failed;
      if (holds) ++count.false_decisions;
    } else {
      ++count.undecided;
    }
    runs.push_back(observation.runs);
    seconds.push_back(observation.gate_seconds);
    count.all_seconds += observation.gate_seconds;
  }
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  count.median_runs = runs.empty() ? kNothing : stats::Median(runs);
  count.median_seconds = seconds.empty() ? kNothing : stats::Median(seconds);
  count.largest_seconds =
      seconds.empty() ? kNothing : *std::max_element(seconds.begin(), seconds.end());
  return count;
}

}  // namespace duetbench::lab
