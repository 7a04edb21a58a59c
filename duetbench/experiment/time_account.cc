#include "duetbench/experiment/time_account.h"

#include <algorithm>

namespace duetbench {

void TimeAccount::AddRun(const RunResult& result, double process_ns, Schedule schedule,
                         double ns_per_tick) {
  const double run_ns = std::max(process_ns, result.wall_ns);
  // CPUs that execute samples at the same time.
  const double cpus = RunsConcurrently(schedule) || schedule == Schedule::kUncoupled ? 2 : 1;
  wall_ns += run_ns;
  start_ns += run_ns - result.wall_ns;
  set_up_ns += result.set_up_ns;
  unmeasured_ns += result.unmeasured_ns / cpus;
  for (const PairRecord& pair : result.pairs) {
    const double pair_ns = (pair.ticks[0] + pair.ticks[1]) * ns_per_tick / cpus;
    if ((pair.flags & kDisturbed) != 0) {
      dropped_ns += pair_ns;
    } else if ((pair.flags & kAlone) != 0 && schedule != Schedule::kAlternating) {
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
