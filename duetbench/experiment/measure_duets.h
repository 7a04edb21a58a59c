#ifndef DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_
#define DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "duetbench/api/flags.h"
#include "duetbench/experiment/experiment_host.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/reports.h"
#include "duetbench/measure/this_process.h"
#include "duetbench/report/suite_summary.h"

namespace duetbench {

// The settings that the flags make for all duets.
struct DuetSettings {
  Flags flags;
  benchmark::MemoryManager* memory_manager = nullptr;  // may be null
  double budget_of_each = 0;  // seconds of --duet_budget for each duet; 0: there is none
};

// The options of a duet: the flags, and its chain over them.
ExperimentOptions OptionsOf(const DuetSpec& spec, const Flags& flags);

// The events to count for the duets `specs`: those of flags and of their chains, gates included.
std::vector<std::string> EventNames(const Flags& flags, const std::vector<const DuetSpec*>& specs);

// The longest time in seconds that a duet may take: measuring time, starts and set-ups several
// times over, and room for a run that is stuck to report it.
double MaxSeconds(const ExperimentOptions& options);

// The instances, by their numbers, that the runs of the instance `number` measure: those of its
// group of more than two variants, if all comparisons with the base are selected and nothing is
// demanded that only pairs have. Else it alone.
std::vector<size_t> MeasuredTogether(size_t number, const std::vector<DuetInstance>& instances,
                                     const Flags& flags);

// Measures and reports `instances`, and returns the entries of the suite. The runs of several duets
// take place in random order (suite_runs.h), and all is reported in the order of registration. With
// --duet_order=sequential, in a dry run and in this process it is duet by duet. A variant that
// fails ends its own duet only. Ctrl-C ends all: what was measured is reported, and what was not as
// an error.
std::vector<SuiteEntry> MeasureDuets(const std::vector<DuetInstance>& instances,
                                     const DuetSettings& settings, ExperimentHost* host,
                                     Reports* reports);

// In the process of a run: executes it and ends the process, with an error if the duet that it
// belongs to is not registered here.
[[noreturn]] void ServeAssignedRun(const AssignedRun& run,
                                   benchmark::MemoryManager* memory_manager);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_
