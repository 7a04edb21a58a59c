#include "duetbench/experiment/run_collection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

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
  for (int thread = 0; thread < 2; ++thread) {
    CollectVariant(*round.loops[thread], round.outcomes[thread], result);
  }
  const bool swapped = round.loops[0]->variant() == 1;
  const MeasuringLoop& old_loop = *round.loops[swapped ? 1 : 0];
  const MeasuringLoop& new_loop = *round.loops[swapped ? 0 : 1];
  const size_t count = std::min(old_loop.sample_count(), new_loop.sample_count());
  for (size_t i = 0; i < count; ++i) {
    AddUsage(old_loop.samples()[i], &result->usage[0]);
    AddUsage(new_loop.samples()[i], &result->usage[1]);
  }
  AddCounts(old_loop.count_records(), old_loop.count_record_count(), new_loop.count_records(),
            new_loop.count_record_count(), &result->events);
  // Pairs and blocks are numbered on from round to round.
  const PairRecord* last = result->pairs.empty() ? nullptr : &result->pairs.back();
  const uint64_t first_pair = last == nullptr ? 0 : last->pair_index + 1;
  const uint32_t first_block = last == nullptr ? 0 : last->block + 1;
  for (PairRecord& pair :
       MakePairs(old_loop.samples(), new_loop.samples(), count, run.plan, run.overhead_ticks)) {
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
    if (round.loops[0] == nullptr || round.loops[1] == nullptr) break;  // ended in an earlier one
    CollectRound(round, number, run, &result);
  }
  if (!result.error.cause.empty()) result.pairs.clear();
  return result;
}

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
