#ifndef DUETBENCH_DECIDE_NOTICE_H_
#define DUETBENCH_DECIDE_NOTICE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Something that a user should know about a measurement that succeeded. report/comparison_format.h
// has the sentences.
struct Notice {
  enum class Kind {
    kRunDegraded,         // `text`: in value[0] of value[1] runs something was refused
                          // (RunResult::notice)
    kForksOfThisProcess,  // `text`: why runs are no starts of the program
    kNoManualTime,        // pairs were dropped: `text` (old, new) did not set its time
    kNoMeasurableTime,    // pairs were dropped: a variant took no measurable time
    kDisturbedPairsKept,  // value[0]: share of the pairs that were disturbed
    kBiasedPairsKept,     // the same, and their times are not known
    kOneSidedRuns,        // value: such runs of SelectedPairs that had to be used, and all runs
    kLacksWork,  // value: variant that takes no more time than an empty loop, and that in ns
    // value: solo ratio and the other one; text: its schedule, "concurrent" or "interleaved".
    // Measured alternating.
    kDisturbEachOther,
    kMeasuredTogether,  // the same, but the schedule was demanded: no verdict on the ratio together
    kNotStationary,  // value: Reservations::position_error, which makes the interval wide, and the
                     // min_time in s after which it would be a margin
    kWorkDiffers,    // `text`: of items or bytes; value: of an iteration of old and new
    kNoSingleCalls,  // value: iterations of a sample of old and new; so there are no quantiles
    kStartsThreads,  // value: threads that old and new started, `text`: how many more either of
                     // them did (empty: none); so each has all CPUs, in turns
    kConfinesThreads,  // the same, but the schedule was demanded: each has one CPU
    kMayNotWait,       // value: variant that starts threads and takes less time than waking one, ns
    // value: runs, which are few, and the seconds that each of them took; `text`: the largest part
    // of these, if it is not samples
    kExpensiveRuns,
    kPausesCost,          // value: variant whose pauses take longer than its work, and how much
    kPausesDoubtful,      // value[0]: Decision::systematic, which makes the interval wide
    kSlowFirstIteration,  // value: ns of the first iteration and of others; `text`: of old, of new
    kSlowsDown,           // value: variant, and FindSlowerThanFirst
    kNotFilled,           // filling and a fixed number of iterations exclude each other
  };
  Kind kind = Kind::kRunDegraded;
  double value[2] = {0, 0};
  std::string text;
};

inline bool operator==(const Notice& a, const Notice& b) {
  return a.kind == b.kind && a.value[0] == b.value[0] && a.value[1] == b.value[1] &&
         a.text == b.text;
}

// Adds what the user should know of pairs that could not be used as they are, of runs, and of
// variants that say that they do different work.
void AddNotices(const SelectedPairs& selected, const std::vector<RunResult>& results,
                const ExperimentOptions& options, double ns_per_tick, std::vector<Notice>* notices);

// Iterations that are not alike since each changes what the next one finds: input that is used up,
// containers that grow, numbers that become denormal. What is measured then depends on how many
// iterations a run has.

struct SlowFirstIteration {
  double first_ns = 0;
  double usual_ns = 0;  // of an iteration, later in the run
};

// The first iteration after the set-up of `variant` takes more than three times as long as others,
// in most runs, and by more than cold caches and first touches of memory explain: 0.2 ms, and 4 us
// for each page fault. Such a variant may have used up its input (sorted what it sorts). Nothing
// for variants that are called anew for each sample, and where samples have one iteration.
// O(pairs).
std::optional<SlowFirstIteration> FindSlowFirstIteration(absl::Span<const RunResult> results,
                                                         int variant, double ns_per_tick);

// The time of a usual iteration over that in the first sample after the set-up, if that is more
// than 1.5 and beyond noise (a t test over three runs or more; p at most 0.001): what warms up gets
// faster. O(pairs).
std::optional<double> FindSlowerThanFirst(absl::Span<const RunResult> results, int variant,
                                          double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_NOTICE_H_
