#ifndef DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_RENDEZVOUS_H_
#define DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_RENDEZVOUS_H_

#include "absl/types/span.h"
#include "tools/duet_lab/mechanisms/barriers.h"

namespace duetbench::lab {

// Quantiles over a series of rendezvous, in nanoseconds.
struct RendezvousSummary {
  // Start skew: |start of one thread - start of the other|.
  double skew_p50_ns;
  double skew_p99_ns;
  // Cost: from the later arrival to the later start, when both have been released. It contains the
  // lead of an aligned start, and the start stamp itself (20-30 ns).
  double cost_p50_ns;
  double cost_p99_ns;
};

// Pure. Both spans have one entry for each rendezvous, and at least one.
RendezvousSummary SummarizeRendezvous(absl::Span<const RendezvousStamps> first,
                                      absl::Span<const RendezvousStamps> second,
                                      double ns_per_tick);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_RENDEZVOUS_H_
