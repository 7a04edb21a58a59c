#include "duetbench/measure/run_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/types/span.h"
#include "duetbench/measure/run_collection.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

bool HasOnly(const RunRecord& record, int variants) {
  if (record.error.variant >= variants) return false;
  return std::all_of(record.loops.begin(), record.loops.end(), [=](const LoopRecord& loop) {
    return loop.variant >= 0 && loop.variant < variants;
  });
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

// The error of the process, or of the loops; of several that of the first one, and an error is
// reported rather than the wish to be left out.
RunError ErrorOf(const RunPlan& plan, const RunRecord& record) {
  if (!record.error.cause.empty()) return record.error;
  if (record.stuck) {
    return DescribeStuck(absl::MakeConstSpan(record.activities, plan.variants),
                         plan.timeout_ns * 1e-9);
  }
  RunError error;
  for (const LoopRecord& loop : record.loops) {
    if ((error.cause.empty() || error.skipped) && !loop.error.empty()) {
      error = {loop.variant, loop.error, loop.skipped};
    }
  }
  return error;
}

}  // namespace

bool HasError(const RunRecord& record) {
  return !record.error.cause.empty() ||
         std::any_of(record.loops.begin(), record.loops.end(),
                     [](const LoopRecord& loop) { return !loop.error.empty(); });
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
    std::move(part.loops.begin(), part.loops.end(), std::back_inserter(whole.loops));
  }
  return whole;
}

std::vector<RunResult> RunsOf(const RunPlan& plan, std::vector<RunRecord> processes) {
  const auto variants = static_cast<int>(plan.variants);
  const std::vector<VariantPair> pairs = PairsOfGroup(variants);
  const RunRecord record = CombineSides(std::move(processes), variants);
  RunError error = ErrorOf(plan, record);
  std::vector<RunResult> runs(pairs.size());
  for (size_t i = 0; i < pairs.size() && error.cause.empty(); ++i) {
    runs[i] = CollectRun(plan, record, pairs[i]);
    if (plan.check_equal == 0 || record.loops.empty()) continue;
    error.cause = DescribeDifference(runs[i].variants[0], runs[i].variants[1]);
    if (!error.cause.empty() && variants > 2) {
      error = {pairs[i].new_variant, AndTheBase(error.cause)};
    }
  }
  if (error.cause.empty()) return runs;
  for (RunResult& run : runs) {
    run = RunResult();
    run.error = error;
  }
  return runs;
}

}  // namespace duetbench
