#include "duetbench/measure/run_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "duetbench/measure/run_collection.h"
#include "duetbench/stats/variant_pair.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

// Sample::assignment of the old samples, from the places of both variants in each turn.
void SetAssignments(std::vector<Sample>* old_samples, const std::vector<Sample>& new_samples) {
  size_t j = 0;
  for (Sample& sample : *old_samples) {
    while (j < new_samples.size() && new_samples[j].pair_index < sample.pair_index) ++j;
    if (j == new_samples.size()) break;
    sample.assignment = sample.assignment < new_samples[j].assignment ? 0 : 1;
  }
}

RunRecord RecordOfPair(const RunRecord& group, const VariantPair& pair) {
  RunRecord record;
  record.stuck = group.stuck;
  record.activities[0] = group.activities[pair.old_variant];
  record.activities[1] = group.activities[pair.new_variant];
  record.overhead_ticks = group.overhead_ticks;
  record.wall_ns = group.wall_ns;
  record.notice = group.notice;
  std::copy_n(group.started_threads, 3, record.started_threads);
  for (const std::vector<LoopRecord>& loops : group.rounds) {
    std::vector<LoopRecord> of_pair(2);
    for (const LoopRecord& loop : loops) {
      const bool is_old = loop.variant == pair.old_variant;
      if (is_old || loop.variant == pair.new_variant) {
        LoopRecord& mine = of_pair[is_old ? 0 : 1];
        mine = loop;
        mine.variant = is_old ? 0 : 1;
      }
    }
    SetAssignments(&of_pair[0].samples, of_pair[1].samples);
    record.rounds.push_back(std::move(of_pair));
  }
  return record;
}

bool HasOnly(const RunRecord& record, int variants) {
  if (record.error.variant >= variants) return false;
  for (const std::vector<LoopRecord>& loops : record.rounds) {
    for (const LoopRecord& loop : loops) {
      if (loop.variant < 0 || loop.variant >= variants) return false;
    }
  }
  return true;
}

// All that a run has measured, from the records of its processes.
RunRecord CombineSides(std::vector<RunRecord> processes, int variants) {
  for (size_t side = 0; side < processes.size() && processes.size() > 1; ++side) {
    RunError& error = processes[side].error;
    if (!error.cause.empty() && error.variant < 0) error.variant = static_cast<int>(side);
    processes[0].activities[side] = processes[side].activities[side];
  }
  RunRecord whole = Combine(std::move(processes));
  if (HasOnly(whole, variants)) return whole;
  RunRecord wrong;
  wrong.error.cause = "the run reported variants that it does not have";
  return wrong;
}

}  // namespace

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
  RunRecord all = CombineSides(std::move(processes), 2);
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

std::vector<RunResult> RunsOfGroup(const RunPlan& plan, std::vector<RunRecord> processes) {
  const RunRecord record = CombineSides(std::move(processes), static_cast<int>(plan.variants));
  RunError error = record.error;
  double set_up_ns = 0;
  double unmeasured_ns = 0;
  for (const std::vector<LoopRecord>& loops : record.rounds) {
    for (const LoopRecord& loop : loops) {
      set_up_ns += loop.set_up_ns;
      unmeasured_ns += loop.unmeasured_ns;
    }
  }
  RunPlan plan_of_pair = plan;
  plan_of_pair.variants = 2;
  std::vector<RunResult> results;
  for (const VariantPair& pair : PairsOfGroup(static_cast<int>(plan.variants))) {
    RunResult& result = results.emplace_back(RunOf(plan_of_pair, {RecordOfPair(record, pair)}));
    result.set_up_ns = set_up_ns;
    result.unmeasured_ns = unmeasured_ns;
    RunError& of_pair = result.error;
    if (of_pair.cause.empty() || error.variant >= 0 || !record.error.cause.empty()) continue;
    if (of_pair.variant >= 0) {
      of_pair.variant = of_pair.variant == 0 ? pair.old_variant : pair.new_variant;
    } else if (plan.check_equal != 0 && !record.stuck) {
      of_pair = {pair.new_variant, AndTheBase(of_pair.cause)};
    }
    // One that names a variant tells more.
    if (error.cause.empty() || of_pair.variant >= 0) error = of_pair;
  }
  if (error.cause.empty()) return results;
  for (RunResult& result : results) result.error = error;
  return results;
}

}  // namespace duetbench
