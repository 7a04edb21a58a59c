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

// Null: the run has none.
const LoopRecord* LoopOf(const RunRecord& run, int variant) {
  const auto found = std::find_if(run.loops.begin(), run.loops.end(),
                                  [=](const LoopRecord& loop) { return loop.variant == variant; });
  return found == run.loops.end() ? nullptr : &*found;
}

// Collects the record of the loop of `variant`, 0 old and 1 new, without its samples.
void CollectLoop(const LoopRecord& loop, int variant, RunResult* result) {
  result->usage[variant].allocations = loop.allocations;
  result->usage[variant].allocating_iterations = loop.allocating_iterations;
  result->variants[variant] = loop.report;
  result->empty[variant] = loop.empty;
  result->pause_share[variant] = loop.pause_share;
  result->first_iteration[variant] = loop.first_iteration;
  result->call_set_ups_ns += loop.call_set_ups_ns;
  if (!loop.stacks.files.empty()) result->stacks[variant].push_back(loop.stacks);
  result->batch = loop.batch;
  result->sample_ns = loop.sample_ns;
  if (result->notice.empty()) result->notice = loop.notice;
}

void CollectSamples(const LoopRecord& old_loop, const LoopRecord& new_loop, const RunPlan& plan,
                    uint64_t overhead_ticks, RunResult* result) {
  const size_t count = std::min(old_loop.samples.size(), new_loop.samples.size());
  for (size_t i = 0; i < count; ++i) {
    AddUsage(old_loop.samples[i], &result->usage[0]);
    AddUsage(new_loop.samples[i], &result->usage[1]);
  }
  AddCounts(old_loop.counts, new_loop.counts, &result->events);
  result->pairs = MakePairs(old_loop.samples, new_loop.samples, plan, overhead_ticks);
}

// If the peak of both variants is known.
void AddPeak(const char* name, double old_peak, double new_peak, bool shown, RunResult* result) {
  if (old_peak < 0 || new_peak < 0) return;
  result->amounts.push_back({name, shown, {old_peak, new_peak}});
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
  for (const LoopRecord& loop : record.loops) {
    result.set_up_ns += loop.set_up_ns;
    result.unmeasured_ns += loop.unmeasured_ns;
  }
  const LoopRecord* const old_loop = LoopOf(record, pair.old_variant);
  const LoopRecord* const new_loop = LoopOf(record, pair.new_variant);
  if (old_loop != nullptr && new_loop != nullptr) {
    CollectLoop(*old_loop, 0, &result);
    CollectLoop(*new_loop, 1, &result);
    CollectSamples(*old_loop, *new_loop, plan, record.overhead_ticks, &result);
    AddPeak(kPeakHeap, old_loop->peak_heap_bytes, new_loop->peak_heap_bytes, true, &result);
    AddPeak(kPeakRss, old_loop->peak_rss_bytes, new_loop->peak_rss_bytes, false, &result);
  }
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

RunOfPairs RunsOf(const RunPlan& plan, std::vector<RunRecord> processes) {
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
