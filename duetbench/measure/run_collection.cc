#include "duetbench/measure/run_collection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/measure/event_counting.h"
#include "duetbench/record/amount.h"
#include "duetbench/record/pair_records.h"

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

LoopRecord RecordOf(const MeasuringLoop& loop, LoopRecord record) {
  record.variant = loop.variant();
  record.notice = loop.notice();
  record.batch = loop.batch();
  record.sample_ns = loop.sample_ns();
  record.unmeasured_ns = loop.unmeasured_ns();
  record.empty = loop.empty().tally();
  record.pause_share = loop.pause_share();
  record.first_iteration = loop.first_iteration();
  record.call_set_ups_ns = loop.call_set_ups_ns();
  record.allocations = loop.allocations().allocations();
  record.allocating_iterations = loop.allocations().iterations();
  if (record.allocating_iterations > 0) record.peak_heap_bytes = loop.allocations().peak_bytes();
  record.samples.assign(loop.samples(), loop.samples() + loop.sample_count());
  record.counts.assign(loop.count_records(), loop.count_records() + loop.count_record_count());
  return record;
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
  result->amounts.push_back(MakeAmount(name, peaks[0], peaks[1], shown));
}

// Null for an activity that holds nothing up.
const char* DescribeActivity(uint32_t activity) {
  switch (static_cast<Activity>(activity)) {
    case Activity::kSetUp:
      return "in its set-up";
    case Activity::kIterating:
      return "executing iterations";
    case Activity::kTearDown:
      return "in its tear-down";
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<LoopRecord> CollectLoops(RunInProgress& run) {
  std::vector<LoopRecord> records;
  for (const int thread : ThreadsOf(run)) {
    if (run.loops[thread] == nullptr) continue;
    records.push_back(RecordOf(*run.loops[thread], std::move(run.records[thread])));
  }
  return records;
}

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

RunError DescribeStuck(absl::Span<const uint32_t> activities, double seconds) {
  const std::string limit = absl::StrCat(" after ", seconds, " s (--duet_timeout)");
  std::vector<size_t> busy;
  for (size_t v = 0; v < activities.size(); ++v) {
    if (DescribeActivity(activities[v]) != nullptr) busy.push_back(v);
  }
  if (busy.empty()) return {-1, absl::StrCat("the run was not over", limit)};
  if (busy.size() == 1 || activities.size() > 2) {
    return {static_cast<int>(busy[0]),
            absl::StrCat("was still ", DescribeActivity(activities[busy[0]]), limit)};
  }
  return {-1,
          absl::StrCat("the run was not over", limit, ": old was ", DescribeActivity(activities[0]),
                       ", new was ", DescribeActivity(activities[1]))};
}

}  // namespace duetbench
