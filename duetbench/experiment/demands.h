#ifndef DUETBENCH_EXPERIMENT_DEMANDS_H_
#define DUETBENCH_EXPERIMENT_DEMANDS_H_

#include <vector>

#include "absl/status/status.h"
#include "duetbench/api/flags.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"

// Demands that cannot be met. The first three are found out before anything is measured,
// because at the end it would be too late.
namespace duetbench {

// A gate that the command line demands must be measured: whatever prevents it is an error.
absl::Status CheckDemandedGate(const Flags& flags, const std::vector<DuetInstance>& instances);

// No two outputs may have the same path.
absl::Status CheckDistinctOutputs(const Flags& flags);

// Google Benchmark reads what it reports about the machine from files, and ends the program with
// status 1 if it cannot open them.
absl::Status CheckFreeDescriptors();

// A gate that could not be measured makes its comparison an error that says why: no run has counted
// its counter, or the calls are too short to be timed one by one.
void CheckDemands(Comparison* comparison);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_DEMANDS_H_
