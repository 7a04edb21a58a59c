#ifndef DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_
#define DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_

#include "absl/status/statusor.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"

// The measurements of duet_lab. Each takes its flags from `arguments`. FailedPrecondition: this
// machine cannot do it.
namespace duetbench::lab {

// `duet_lab rendezvous`: start skew and cost of the library's rendezvous beside std::barrier and
// pthread_barrier_t, each on two pinned threads, in random order in every repetition.
absl::StatusOr<LabReport> MeasureRendezvous(Arguments& arguments);

// `duet_lab overhead`: time per empty iteration of duetbench's loops and of Google Benchmark's, on
// one CPU, in random order in every repetition.
absl::StatusOr<LabReport> MeasureOverhead(Arguments& arguments);

// `duet_lab aa`: runs duet programs many times with different seeds, and counts how often their
// intervals and verdicts are wrong. A benchmark compares a function with itself unless --truth says
// what the ratio is.
absl::StatusOr<LabReport> MeasureAccuracy(Arguments& arguments);

// `duet_lab gates`: runs duet programs many times under --duet_max_ratio, and counts the outcomes
// of their gates and the time of a decision; with --fixed also the time of the same suites without
// gates. A benchmark compares a function with itself unless --truth says what the ratio is.
absl::StatusOr<LabReport> MeasureGates(Arguments& arguments);

// `duet_lab counters`: the effect of counting. The same duets, of a function with itself, are run
// with and without counters, by turns and with the same seed: their times per iteration and their
// ratios are compared, and the cost of one reading is measured.
absl::StatusOr<LabReport> MeasureCounting(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_
