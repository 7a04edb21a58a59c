#include "duetbench/experiment/side_result.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "duetbench/experiment/run_collection.h"

namespace duetbench {

SideResult Combine(std::vector<SideResult> parts) {
  SideResult whole = std::move(parts.front());
  for (size_t i = 1; i < parts.size(); ++i) {
    SideResult& part = parts[i];
    if (whole.error.cause.empty()) whole.error = std::move(part.error);
    whole.stuck = whole.stuck || part.stuck;
    whole.overhead_ticks = std::min(whole.overhead_ticks, part.overhead_ticks);
    whole.wall_ns = std::max(whole.wall_ns, part.wall_ns);
    for (int v = 0; v < 3; ++v) {
      whole.started_threads[v] = std::max(whole.started_threads[v], part.started_threads[v]);
    }
    if (whole.notice.empty()) whole.notice = std::move(part.notice);
    // A round that did not begin everywhere is none.
    whole.rounds.resize(std::min(whole.rounds.size(), part.rounds.size()));
    for (size_t round = 0; round < whole.rounds.size(); ++round) {
      std::move(part.rounds[round].begin(), part.rounds[round].end(),
                std::back_inserter(whole.rounds[round]));
    }
  }
  return whole;
}

RunResult RunOf(const RunPlan& plan, SideResult all) {
  RunResult result;
  if (!all.error.cause.empty()) {
    result.error = std::move(all.error);
    return result;
  }
  if (all.stuck) {
    const Activity activities[2] = {static_cast<Activity>(all.activities[0]),
                                    static_cast<Activity>(all.activities[1])};
    result.error = DescribeStuck(activities, plan.timeout_ns * 1e-9);
    return result;
  }
  result = CollectRun(plan, all.overhead_ticks, std::move(all.rounds));
  result.wall_ns = all.wall_ns;
  std::copy_n(all.started_threads, 3, result.started_threads);
  if (!all.notice.empty()) result.notice = std::move(all.notice);
  return result;
}

RunResult MergeSides(const RunPlan& plan, SideResult old_side, SideResult new_side) {
  SideResult* const sides[2] = {&old_side, &new_side};
  for (int side = 0; side < 2; ++side) {
    RunError& error = sides[side]->error;
    if (!error.cause.empty() && error.variant < 0) error.variant = side;
  }
  old_side.activities[1] = new_side.activities[1];
  std::vector<SideResult> parts;
  parts.push_back(std::move(old_side));
  parts.push_back(std::move(new_side));
  return RunOf(plan, Combine(std::move(parts)));
}

}  // namespace duetbench
