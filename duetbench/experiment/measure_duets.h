#ifndef DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_
#define DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_

#include <vector>

#include "duetbench/experiment/duet_request.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/reports.h"
#include "duetbench/report/suite_summary.h"

namespace duetbench {

// Measures and reports `instances`, and returns the entries of the suite. The runs of several duets
// take place in random order (suite_runs.h), and all is reported in the order of registration. With
// --duet_order=sequential, in a dry run and in this process it is duet by duet. A variant that
// fails ends its own duet only. Ctrl-C ends all: what was measured is reported, and what was not as
// an error.
std::vector<SuiteEntry> MeasureDuets(const std::vector<DuetInstance>& instances, Flags flags,
                                     Launcher* launcher, Reports* reports);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_MEASURE_DUETS_H_
