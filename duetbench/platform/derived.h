#ifndef DUETBENCH_PLATFORM_DERIVED_H_
#define DUETBENCH_PLATFORM_DERIVED_H_

#include <string>
#include <vector>

#include "duetbench/platform/event.h"

namespace duetbench {

// The count of an event in one variant, per iteration.
struct EventRate {
  std::string name;
  EventRole role;
  double per_iteration;
};

struct DerivedColumn {
  std::string name;
  double value;
};

// Columns that are computed from several events of one variant, as far as these were counted:
//   IPC                 instructions / cycles
//   <EVENT>-MPKI        misses of a cache, TLB or branch predictor per 1000 instructions
//   BRANCH-MISS-RATE    mispredicted branches / branches, 0 to 1
//   CYCLES-PER-BYTE     cycles / bytes processed (SetBytesProcessed); 0 bytes: unknown
// The first event of each role is used. No column has a denominator of 0.
std::vector<DerivedColumn> DeriveColumns(const std::vector<EventRate>& rates,
                                         double bytes_per_iteration);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_DERIVED_H_
