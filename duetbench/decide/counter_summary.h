#ifndef DUETBENCH_DECIDE_COUNTER_SUMMARY_H_
#define DUETBENCH_DECIDE_COUNTER_SUMMARY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/interval.h"
#include "duetbench/platform/event.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// The counts of a run, by variant, and what they are rates of: iterations, or time.
struct RunRate {
  double count[2];
  double per[2];

  double Of(int variant) const { return count[variant] / per[variant]; }
};

// True for what is counted in every run, without an event: page faults, context switches,
// migrations and, with a memory manager, ALLOCATIONS.
bool IsAlwaysCounted(const std::string& counter);

// The rates of the runs that have counted `counter` for both variants: one that is always
// counted, an amount (run_result.h) of one run, or one of `events` per iteration.
std::vector<RunRate> RatesOf(absl::Span<const RunResult> results, const std::string& counter,
                             const std::vector<Event>& events);

// ln(new / old) of each run. Empty if a variant counted nothing in one of them: the rest would be
// other data.
std::vector<double> LogRatiosOf(absl::Span<const RunRate> runs);

// The counts of one event for the two variants, over all runs. Arrays are indexed by variant, 0 old
// and 1 new.
struct CounterComparison {
  std::string name;
  bool requested = false;  // by name; the others are there because the variants differ, and
                           // ALLOCATIONS because the program has a memory manager
  bool counted = false;    // in some sample of both variants; else nothing below is set
  bool of_run = false;     // an amount of a run (run_result.h), which per_iteration then has
  double per_iteration[2] = {0, 0};
  // new/old. Absent where a variant counted 0: no ratio stands for "none at all".
  std::optional<double> ratio;
  // Interval of the ratio, over the runs. Absent with fewer than two runs that have one.
  std::optional<stats::RatioInterval> interval;
  double scaled_share = 0;  // of the samples: others used the PMU, and the count was scaled
};

// Sums within a run, since events may be rare; then each run gives one log-ratio, and the runs the
// t interval, as for times. Requested ones come first, in the order of the request. Pure.
//
// Page faults and voluntary context switches are there without being asked for, when the variants
// differ: by at least ten events and, by the t test over the runs, at a level of 99.9 %, so that
// three such questions to every benchmark of a suite are seldom answered wrongly. Preemptions and
// migrations are those by other programs.
std::vector<CounterComparison> SummarizeCounters(const std::vector<RunResult>& results,
                                                 const std::vector<Event>& events, double level);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_COUNTER_SUMMARY_H_
