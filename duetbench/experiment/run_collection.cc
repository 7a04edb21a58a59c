#include "duetbench/experiment/run_collection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/event_counting.h"
#include "duetbench/experiment/pair_records.h"

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

// What one variant left behind in a round.
void CollectVariant(const MeasuringLoop& loop, VariantOutcome& outcome, RunResult* result) {
  const int variant = loop.variant();
  result->usage[variant].allocations += loop.allocations().allocations();
  result->usage[variant].allocating_iterations += loop.allocations().iterations();
  result->variants[variant] = std::move(outcome.report);
  result->set_up_ns += outcome.set_up_ns;
  result->batch = loop.batch();
  result->sample_ns = loop.sample_ns();
  if (result->notice.empty()) result->notice = loop.notice();
  // An error is reported rather than the wish to be left out.
  if ((result->error.cause.empty() || result->error.skipped) && !outcome.error.empty()) {
    result->error = {variant, outcome.error, outcome.skipped};
  }
}

void CollectRound(Round& round, uint32_t number, const RunInProgress& run, RunResult* result) {
  std::vector<absl::Span<const Sample>> samples_of[2];  // by variant
  std::vector<CountRecord> counts[2];
  for (int number_of_loop = 0; number_of_loop < run.loops; ++number_of_loop) {
    const MeasuringLoop& loop = *round.loops[number_of_loop];
    CollectVariant(loop, round.outcomes[number_of_loop], result);
    samples_of[loop.variant()].emplace_back(loop.samples(), loop.sample_count());
    std::vector<CountRecord>& records = counts[loop.variant()];
    records.insert(records.end(), loop.count_records(),
                   loop.count_records() + loop.count_record_count());
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
  for (PairRecord& pair : MakePairs(samples[0], samples[1], run.plan, run.overhead_ticks)) {
    pair.round = number;
    pair.pair_index += first_pair;
    pair.block += first_block;
    result->pairs.push_back(pair);
  }
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

RunResult CollectRun(RunInProgress& run) {
  RunResult result;
  result.events.resize(run.plan.events);
  for (uint32_t number = 0; number < run.plan.rounds; ++number) {
    Round& round = run.rounds[number];
    const auto all_began = [&] {
      return std::none_of(round.loops, round.loops + run.loops,
                          [](const auto& loop) { return loop == nullptr; });
    };
    if (!all_began()) break;  // the run ended in an earlier one
    CollectRound(round, number, run, &result);
  }
  if (!result.error.cause.empty()) result.pairs.clear();
  return result;
}

bool HoldsUpTheRun(Activity activity) { return DescribeActivity(activity) != nullptr; }

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
