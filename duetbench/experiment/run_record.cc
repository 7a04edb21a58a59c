#include "duetbench/experiment/run_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "duetbench/experiment/run_collection.h"

namespace duetbench {

bool HasError(const RunRecord& record) {
  if (!record.error.cause.empty()) return true;
  for (const std::vector<LoopRecord>& loops : record.rounds) {
    for (const LoopRecord& loop : loops) {
      if (!loop.error.empty()) return true;
    }
  }
  return false;
}

RunRecord Combine(std::vector<RunRecord> parts) {
  RunRecord whole = std::move(parts.front());
  for (size_t i = 1; i < parts.size(); ++i) {
    RunRecord& part = parts[i];
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

RunResult RunOf(const RunPlan& plan, std::vector<RunRecord> processes) {
  if (processes.size() == 2) {
    for (int side = 0; side < 2; ++side) {
      RunError& error = processes[static_cast<size_t>(side)].error;
      if (!error.cause.empty() && error.variant < 0) error.variant = side;
    }
    processes[0].activities[1] = processes[1].activities[1];
  }
  RunRecord all = Combine(std::move(processes));
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
  const bool has_loops = !all.rounds.empty();
  result = CollectRun(plan, all.overhead_ticks, std::move(all.rounds));
  result.wall_ns = all.wall_ns;
  std::copy_n(all.started_threads, 3, result.started_threads);
  if (!all.notice.empty()) result.notice = std::move(all.notice);
  if (plan.check_equal != 0 && has_loops && result.error.cause.empty()) {
    result.error.cause = DescribeDifference(result.variants[0], result.variants[1]);
  }
  return result;
}

}  // namespace duetbench
