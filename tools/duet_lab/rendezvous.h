#ifndef DUETBENCH_TOOLS_DUET_LAB_RENDEZVOUS_H_
#define DUETBENCH_TOOLS_DUET_LAB_RENDEZVOUS_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

namespace duetbench::lab {

// `duet_lab rendezvous`: start skew and cost of the runner's rendezvous beside std::barrier and
// pthread_barrier_t, each on two pinned threads, in random order in every repetition.
// FailedPrecondition where there is only one CPU.
absl::StatusOr<LabReport> MeasureRendezvous(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_RENDEZVOUS_H_
