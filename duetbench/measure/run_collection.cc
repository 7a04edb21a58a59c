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

LoopRecord RecordOf(const MeasuringLoop& loop, VariantOutcome& outcome) {
  LoopRecord record;
  record.variant = loop.variant();
  record.error = std::move(outcome.error);
  record.skipped = outcome.skipped;
  record.report = std::move(outcome.report);
  record.notice = loop.notice();
  record.batch = loop.batch();
  record.sample_ns = loop.sample_ns();
  record.set_up_ns = outcome.set_up_ns;
  record.unmeasured_ns = loop.unmeasured_ns();
  record.empty = loop.empty().tally();
  record.pause_share = loop.pause_share();
  record.first_iteration = loop.first_iteration();
  record.calls = loop.calls();
  record.allocations = loop.allocations().allocations();
  record.allocating_iterations = loop.allocations().iterations();
  if (record.allocating_iterations > 0) record.peak_heap_bytes = loop.allocations().peak_bytes();
  record.stacks = std::move(outcome.stacks);
  record.samples.assign(loop.samples(), loop.samples() + loop.sample_count());
  record.counts.assign(loop.count_records(), loop.count_records() + loop.count_record_count());
  return record;
}

void TakeFaster(const FirstIteration& loop, FirstIteration* fastest) {
  if (loop.iterations == 0) return;
  if (fastest->iterations == 0 || loop.ns < fastest->ns) *fastest = loop;
}

// Collects the record of one loop of a round, without its samples.
void CollectLoop(LoopRecord& loop, bool takes_report, RunResult* result) {
  const int variant = loop.variant;
  result->usage[variant].allocations += loop.allocations;
  result->usage[variant].allocating_iterations += loop.allocating_iterations;
  if (takes_report) result->variants[variant] = std::move(loop.report);
  result->set_up_ns += loop.set_up_ns;
  result->unmeasured_ns += loop.unmeasured_ns;
  Add(loop.empty, &result->empty[variant]);
  result->pause_share[variant] = std::max(result->pause_share[variant], loop.pause_share);
  TakeFaster(loop.first_iteration, &result->first_iteration[variant]);
  Add(loop.calls, &result->calls);
  if (!loop.stacks.files.empty()) result->stacks[variant].push_back(std::move(loop.stacks));
  result->batch = loop.batch;
  result->sample_ns = loop.sample_ns;
  if (result->notice.empty()) result->notice = loop.notice;
  // An error is reported rather than the wish to be left out.
  if ((result->error.cause.empty() || result->error.skipped) && !loop.error.empty()) {
    result->error = {variant, loop.error, loop.skipped};
  }
}

void CollectRound(std::vector<LoopRecord>& loops, uint32_t number, const RunPlan& plan,
                  uint64_t overhead_ticks, RunResult* result) {
  std::vector<absl::Span<const Sample>> samples_of[2];  // by variant
  std::vector<CountRecord> counts[2];
  // The report of a variant is that of its loop with more samples: rates are for its time.
  size_t most_samples[2] = {0, 0};
  for (LoopRecord& loop : loops) {
    size_t& most = most_samples[loop.variant];
    CollectLoop(loop, loop.samples.size() >= most, result);
    most = std::max(most, loop.samples.size());
    samples_of[loop.variant].emplace_back(loop.samples);
    std::vector<CountRecord>& records = counts[loop.variant];
    records.insert(records.end(), loop.counts.begin(), loop.counts.end());
  }
  const std::vector<Sample> samples[2] = {MergeSamples(samples_of[0]), MergeSamples(samples_of[1])};
  const size_t count = std::min(samples[0].size(), samples[1].size());
  for (int variant = 0; variant < 2; ++variant) {
    for (size_t i = 0; i < count; ++i) AddUsage(samples[variant][i], &result->usage[variant]);
    std::stable_sort(
        counts[variant].begin(), counts[variant].end(),
        [](const CountRecord& a, const CountRecord& b) { return a.pair_index < b.pair_index; });
  }
  AddCounts(counts[0].data(), counts[0].size(), counts[1].data(), counts[1].size(),
            &result->events);
  // Pairs and blocks are numbered on from round to round.
  const PairRecord* last = result->pairs.empty() ? nullptr : &result->pairs.back();
  const uint64_t first_pair = last == nullptr ? 0 : last->pair_index + 1;
  const uint32_t first_block = last == nullptr ? 0 : last->block + 1;
  for (PairRecord& pair : MakePairs(samples[0], samples[1], plan, overhead_ticks)) {
    pair.round = number;
    pair.pair_index += first_pair;
    pair.block += first_block;
    result->pairs.push_back(pair);
  }
}

// The largest of each variant, if that is known of both.
void AddPeaks(const char* name, double LoopRecord::*peak, bool shown,
              const std::vector<std::vector<LoopRecord>>& rounds, RunResult* result) {
  double peaks[2] = {-1, -1};
  for (const std::vector<LoopRecord>& loops : rounds) {
    for (const LoopRecord& loop : loops) {
      peaks[loop.variant] = std::max(peaks[loop.variant], loop.*peak);
    }
  }
  if (peaks[0] < 0 || peaks[1] < 0) return;
  result->amounts.push_back(MakeAmount(name, peaks[0], peaks[1], shown));
}

// Null for an activity that holds nothing up.
const char* DescribeActivity(Activity activity) {
  switch (activity) {
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

}  // namespace

std::vector<std::vector<LoopRecord>> CollectLoops(RunInProgress& run) {
  std::vector<std::vector<LoopRecord>> rounds;
  for (uint32_t number = 0; number < run.plan.rounds; ++number) {
    Round& round = run.rounds[number];
    std::vector<LoopRecord> loops;
    for (int loop = 0; loop < run.loops; ++loop) {
      if (round.loops[loop] == nullptr) continue;
      loops.push_back(RecordOf(*round.loops[loop], round.outcomes[loop]));
    }
    if (loops.size() < ThreadsOf(run).size()) break;  // the run ended in an earlier one
    rounds.push_back(std::move(loops));
  }
  return rounds;
}

RunResult CollectRun(const RunPlan& plan, uint64_t overhead_ticks,
                     std::vector<std::vector<LoopRecord>> rounds) {
  RunResult result;
  result.events.resize(plan.events);
  uint32_t number = 0;
  for (std::vector<LoopRecord>& loops : rounds) {
    CollectRound(loops, number++, plan, overhead_ticks, &result);
  }
  AddPeaks(kPeakHeap, &LoopRecord::peak_heap_bytes, true, rounds, &result);
  AddPeaks(kPeakRss, &LoopRecord::peak_rss_bytes, false, rounds, &result);
  if (!result.error.cause.empty()) result.pairs.clear();
  return result;
}

bool IsBlocking(Activity activity) { return DescribeActivity(activity) != nullptr; }

RunError DescribeStuck(const Activity (&activities)[2], double seconds) {
  const std::string limit = absl::StrCat(" after ", seconds, " s (--duet_timeout)");
  const char* doing[2];
  for (int variant = 0; variant < 2; ++variant) {
    doing[variant] = DescribeActivity(activities[variant]);
    // A variant fills because its partner is busy.
    if (activities[variant] == Activity::kFilling &&
        DescribeActivity(activities[1 - variant]) != nullptr &&
        activities[1 - variant] != Activity::kFilling) {
      doing[variant] = nullptr;
    }
  }
  if (doing[0] != nullptr && doing[1] != nullptr) {
    return {-1, absl::StrCat("the run was not over", limit, ": old was ", doing[0], ", new was ",
                             doing[1])};
  }
  if (doing[0] == nullptr && doing[1] == nullptr) {
    return {-1, absl::StrCat("the run was not over", limit)};
  }
  const int variant = doing[0] != nullptr ? 0 : 1;
  return {variant, absl::StrCat("was still ", doing[variant], limit)};
}

}  // namespace duetbench
