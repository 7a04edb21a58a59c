#ifndef DUETBENCH_TOOLS_DUET_LAB_MEETING_SUMMARY_H_
#define DUETBENCH_TOOLS_DUET_LAB_MEETING_SUMMARY_H_

#include "absl/types/span.h"
#include "tools/duet_lab/meeting_place.h"

namespace duetbench::lab {

// How well two sides met, over a series of meetings; nanoseconds.
struct MeetingSummary {
  // Start skew: |start of one side - start of the other|.
  double skew_p50_ns;
  double skew_p99_ns;
  // Cost: from the later arrival to the later start, when both have been released. It contains the
  // lead of an aligned start, and the start stamp itself (20-30 ns).
  double cost_p50_ns;
  double cost_p99_ns;
};

// Pure. Both spans have one entry for each meeting, and at least one.
MeetingSummary SummarizeMeetings(absl::Span<const MeetingStamps> first,
                                 absl::Span<const MeetingStamps> second, double ns_per_tick);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MEETING_SUMMARY_H_
