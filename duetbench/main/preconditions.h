#ifndef DUETBENCH_MAIN_PRECONDITIONS_H_
#define DUETBENCH_MAIN_PRECONDITIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/main/program_options.h"

namespace duetbench {

// What is found out before anything is measured, because at the end it would be too late.

// A gate that the command line demands must be measured: whatever prevents it is an error.
absl::Status CheckDemandedGate(const ProgramOptions& options,
                               const std::vector<DuetInstance>& instances);

// No two outputs may have the same path.
absl::Status CheckDistinctOutputs(const ProgramOptions& options);

// Google Benchmark reads what it reports about the machine from files, and ends the program with
// status 1 if it cannot open them.
absl::Status CheckFreeDescriptors();

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_PRECONDITIONS_H_
