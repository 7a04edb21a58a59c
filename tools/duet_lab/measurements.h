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

// `duet_lab loops`: time per iteration of the same small functions in duetbench's loop and in
// Google Benchmark's, on one CPU, in random order in every repetition.
absl::StatusOr<LabReport> MeasureLoops(Arguments& arguments);

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

// The questions of the papers on this machine, with the workloads and loads of the lab
// (paper_plan.h has the options that they share).
//
// `duet_lab accuracy`: RQ1 of the duet paper (Bulej et al., ICPE 2020, section 4.1): widths of A/A
// intervals of the duet, the shuffled duet, other schedules and the standard method.
absl::StatusOr<LabReport> MeasurePaperAccuracy(Arguments& arguments);

// `duet_lab shuffle`: RQ2 (section 4.2), duet : shuffled : standard.
absl::StatusOr<LabReport> MeasureShuffle(Arguments& arguments);

// `duet_lab load`: RQ3 (section 4.3), paired and shuffled, idle and under each load.
absl::StatusOr<LabReport> MeasureLoad(Arguments& arguments);

// `duet_lab known-ratio`: RQ4 (section 4.4), a true ratio of 2 at several lengths, with and without
// fill, beside the slow-down of running together.
absl::StatusOr<LabReport> MeasureKnownRatio(Arguments& arguments);

// `duet_lab power`: false alarms and detected differences of each schedule and interval kind over
// many experiments; resumable.
absl::StatusOr<LabReport> MeasurePower(Arguments& arguments);

// `duet_lab replicate`: whether an interval holds when the measurement of unlike code is repeated:
// pairs of unlike code again and again at random moments, by the default and other schedules, in
// one program and each in its own, among plain loops of Google Benchmark; resumable.
absl::StatusOr<LabReport> MeasureReplicate(Arguments& arguments);

// `duet_lab precision`: widths of intervals at equal wall time, beside plain ABBA batches and
// repetitions of Google Benchmark, quiet and under loads; true ratio --ratio. At most 4 s a trial
// of a workload; a default run takes about 10 minutes.
absl::StatusOr<LabReport> MeasurePrecision(Arguments& arguments);

// `duet_lab instances`: false alarms and detectable slow-downs by numbers of instances and trials
// (Laaber et al., EMSE 2019, sections 5.3 and 5.4), from trials that are measured here.
absl::StatusOr<LabReport> MeasureInstances(Arguments& arguments);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_
