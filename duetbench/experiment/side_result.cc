#include "duetbench/experiment/side_result.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "duetbench/experiment/run_collection.h"

namespace duetbench {

RunResult MergeSides(const RunPlan& plan, SideResult old_side, SideResult new_side) {
  SideResult* const sides[2] = {&old_side, &new_side};
  for (int side = 0; side < 2; ++side) {
    if (sides[side]->error.cause.empty()) continue;
    RunResult failed;
    failed.error = std::move(sides[side]->error);
    if (failed.error.variant < 0) failed.error.variant = side;
    return failed;
  }
  if (old_side.stuck || new_side.stuck) {
    RunResult failed;
    const Activity activities[2] = {static_cast<Activity>(old_side.activity),
                                    static_cast<Activity>(new_side.activity)};
    failed.error = DescribeStuck(activities, plan.timeout_ns * 1e-9);
    return failed;
  }
  std::vector<std::vector<LoopRecord>> rounds;
  for (size_t i = 0; i < std::min(old_side.rounds.size(), new_side.rounds.size()); ++i) {
    std::vector<LoopRecord>& loops = rounds.emplace_back(std::move(old_side.rounds[i]));
    std::move(new_side.rounds[i].begin(), new_side.rounds[i].end(), std::back_inserter(loops));
  }
  RunResult result = CollectRun(plan, std::min(old_side.overhead_ticks, new_side.overhead_ticks),
                                std::move(rounds));
  result.wall_ns = std::max(old_side.wall_ns, new_side.wall_ns);
  return result;
}

}  // namespace duetbench
