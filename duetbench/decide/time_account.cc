#include "duetbench/decide/time_account.h"

#include <algorithm>
#include <cmath>

namespace duetbench {

void TimeAccount::AddRun(const RunResult& result, double process_ns, const RunPlan& plan) {
  const double run_ns = std::max(process_ns, result.wall_ns);
  // CPUs that execute samples at the same time, and variants whose wall time passes then.
  const double cpus = UsesTwoCpus(plan.schedule) ? 2 : 1;
  const double at_once = RunsConcurrently(plan.schedule) ? 2 : 1;
  // A group is told by its first pair.
  const double pairs_of_turn = plan.variants / 2.0;
  wall_ns += run_ns;
  start_ns += run_ns - result.wall_ns;
  set_up_ns += result.set_up_ns;
  unmeasured_ns += result.unmeasured_ns / at_once;
  call_set_ups_ns += result.call_set_ups_ns / at_once;
  if (plan.manual_time != 0) kept_ns = dropped_ns = alone_ns = std::nan("");
  for (const PairRecord& pair : result.pairs) {
    const double pair_ns =
        (pair.ticks[0] + pair.ticks[1]) * plan.ns_per_tick * pairs_of_turn / cpus;
    if ((pair.flags & kDisturbed) != 0) {
      dropped_ns += pair_ns;
    } else if ((pair.flags & kAlone) != 0 && plan.schedule != Schedule::kAlternating) {
      alone_ns += pair_ns;
    } else {
      kept_ns += pair_ns;
    }
  }
}

void TimeAccount::EndPilots() {
  const double all_ns = wall_ns;
  *this = TimeAccount();
  wall_ns = pilots_ns = all_ns;
}

}  // namespace duetbench
