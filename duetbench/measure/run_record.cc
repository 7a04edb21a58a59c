#include "duetbench/measure/run_record.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "duetbench/measure/measuring_loop.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/record/variant_pair.h"

namespace duetbench {
namespace {

void AddUsage(const Sample& sample, UsageTally* usage) {
  usage->iterations += sample.iterations;
  usage->minor_faults += sample.minor_faults;
  usage->major_faults += sample.major_faults;
  usage->voluntary_switches += sample.voluntary_switches;
  usage->involuntary_switches += sample.involuntary_switches;
  if (sample.cpu_at_start != sample.cpu_at_stop) ++usage->migrations;
}

void TakeFaster(const FirstIteration& loop, FirstIteration* fastest) {
  if (loop.iterations == 0) return;
  if (fastest->iterations == 0 || loop.ns < fastest->ns) *fastest = loop;
}

// Collects the record of the loop of `variant`, without its samples.
void CollectLoop(const LoopRecord& loop, int variant, RunResult* result) {
  result->usage[variant].allocations += loop.allocations;
  result->usage[variant].allocating_iterations += loop.allocating_iterations;
  result->variants[variant] = loop.report;
  Add(loop.empty, &result->empty[variant]);
  result->pause_share[variant] = std::max(result->pause_share[variant], loop.pause_share);
  TakeFaster(loop.first_iteration, &result->first_iteration[variant]);
  result->call_set_ups_ns += loop.call_set_ups_ns;
  if (!loop.stacks.files.empty()) result->stacks[variant].push_back(loop.stacks);
  result->batch = loop.batch;
  result->sample_ns = loop.sample_ns;
  if (result->notice.empty()) result->notice = loop.notice;
}

// 0 old, 1 new; -1: a variant that is not one of the pair.
int SideOf(const LoopRecord& loop, const VariantPair& pair) {
  if (loop.variant == pair.old_variant) return 0;
  return loop.variant == pair.new_variant ? 1 : -1;
}

void CollectLoopsOfPair(const RunRecord& run, const VariantPair& pair, const RunPlan& plan,
                        RunResult* result) {
  const LoopRecord* of_side[2] = {nullptr, nullptr};
  for (const LoopRecord& loop : run.loops) {
    result->set_up_ns += loop.set_up_ns;
    result->unmeasured_ns += loop.unmeasured_ns;
    const int side = SideOf(loop, pair);
    if (side < 0) continue;
    of_side[side] = &loop;
    CollectLoop(loop, side, result);
  }
  if (of_side[0] == nullptr || of_side[1] == nullptr) return;
  const std::vector<Sample>& old_samples = of_side[0]->samples;
  const std::vector<Sample>& new_samples = of_side[1]->samples;
  const size_t count = std::min(old_samples.size(), new_samples.size());
  for (int variant = 0; variant < 2; ++variant) {
    for (size_t i = 0; i < count; ++i)
      AddUsage(of_side[variant]->samples[i], &result->usage[variant]);
  }
  AddCounts(of_side[0]->counts, of_side[1]->counts, &result->events);
  result->pairs = MakePairs(old_samples, new_samples, plan, run.overhead_ticks);
}

// The largest of each variant, if that is known of both.
void AddPeaks(const char* name, double LoopRecord::*peak, bool shown, const RunRecord& record,
              const VariantPair& pair, RunResult* result) {
  double peaks[2] = {-1, -1};
  for (const LoopRecord& loop : record.loops) {
    const int side = SideOf(loop, pair);
    if (side >= 0) peaks[side] = std::max(peaks[side], loop.*peak);
  }
  if (peaks[0] < 0 || peaks[1] < 0) return;
  result->amounts.push_back({name, shown, {peaks[0], peaks[1]}});
}

// Null for an activity that holds nothing up.
const char* DescribeActivity(uint32_t activity) {
  switch (static_cast<Activity>(activity)) {
    case Activity::kSetUp:
      return "in its set-up";
    case Activity::kIterating:
    case Activity::kFilling:
      return "executing iterations";
    case Activity::kTearDown:
      return "in its tear-down";
    default:
      return nullptr;
  }
}

// Result of a run for two of its variants, from the record of all its loops, which have no error.
// Set-ups and unmeasured time are those of all variants.
RunResult CollectRun(const RunPlan& plan, const RunRecord& record, const VariantPair& pair) {
  RunResult result;
  result.events.resize(plan.events);
  CollectLoopsOfPair(record, pair, plan, &result);
  AddPeaks(kPeakHeap, &LoopRecord::peak_heap_bytes, true, record, pair, &result);
  AddPeaks(kPeakRss, &LoopRecord::peak_rss_bytes, false, record, pair, &result);
  result.wall_ns = record.wall_ns;
  std::copy_n(record.started_threads, 3, result.started_threads);
  if (!record.notice.empty()) result.notice = record.notice;
  return result;
}

// Why a run did not end within `seconds`: which variant holds it up, and what it is doing.
// `activities` are indexed by variant.
RunError DescribeStuck(absl::Span<const uint32_t> activities, double seconds) {
  const std::string limit = absl::StrCat(" after ", seconds, " s (--duet_timeout)");
  std::vector<size_t> busy;
  std::vector<size_t> filling;  // one that fills holds nothing up, unless nobody else is busy
  for (size_t v = 0; v < activities.size(); ++v) {
    if (DescribeActivity(activities[v]) == nullptr) continue;
    const bool fills = static_cast<Activity>(activities[v]) == Activity::kFilling;
    (fills ? filling : busy).push_back(v);
  }
  if (busy.empty()) busy = std::move(filling);
  if (busy.empty()) return {-1, absl::StrCat("the run was not over", limit)};
  if (busy.size() == 1 || activities.size() > 2) {
    return {static_cast<int>(busy[0]),
            absl::StrCat("was still ", DescribeActivity(activities[busy[0]]), limit)};
  }
  return {-1,
          absl::StrCat("the run was not over", limit, ": old was ", DescribeActivity(activities[0]),
                       ", new was ", DescribeActivity(activities[1]))};
}

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
