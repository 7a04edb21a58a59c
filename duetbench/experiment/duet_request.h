#ifndef DUETBENCH_EXPERIMENT_DUET_REQUEST_H_
#define DUETBENCH_EXPERIMENT_DUET_REQUEST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/api/flags.h"
#include "duetbench/experiment/launcher.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/measure/run_protocol.h"

// From the duets of a program and its flags to what its launcher measures.
namespace duetbench {

// Duets that the same runs measure: one, or several of one group.
using DuetsOfRuns = std::vector<const DuetInstance*>;

// A variant has the form that is called anew for each sample.
bool HasCalls(const DuetSpec& spec);

// The options of a duet: the flags, and its chain over them.
ExperimentOptions OptionsOf(const DuetSpec& spec, const Flags& flags);

// The options of the experiment that measures `duets`.
ExperimentOptions ExperimentOptionsOf(const DuetsOfRuns& duets, const Flags& flags);

// The request for that experiment. The error says why it cannot be measured.
absl::StatusOr<ExperimentRequest> RequestFor(const DuetsOfRuns& duets, const Flags& flags,
                                             Launcher* launcher);

// Without argument names and options: "BM_A_vs_BM_B/64".
std::string ShortName(const DuetInstance& instance);

// The events to count for the duets `specs`: those of flags and of their chains, gates included.
std::vector<std::string> EventNames(const Flags& flags, const std::vector<const DuetSpec*>& specs);

// A gate that the command line demands must be measured: whatever prevents it is an error.
absl::Status CheckDemandedGate(const Flags& flags, const std::vector<DuetInstance>& instances);

// The longest time in seconds that a duet may take: measuring time, starts and set-ups several
// times over, and room for a run that is stuck to report it.
double MaxSeconds(const ExperimentOptions& options);

// The instances, by their numbers, that the runs of the instance `number` measure: those of its
// group of more than two variants, if all comparisons with the base are selected and nothing is
// demanded that only pairs have. Else it alone.
std::vector<size_t> WithSameRuns(size_t number, const std::vector<DuetInstance>& instances,
                                 const Flags& flags);

// In the process of a run: executes it and ends the process, with an error if the duet that it
// belongs to is not registered here.
[[noreturn]] void ServeAssignedRun(const AssignedRun& run);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_DUET_REQUEST_H_
