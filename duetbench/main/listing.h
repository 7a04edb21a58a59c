#ifndef DUETBENCH_MAIN_LISTING_H_
#define DUETBENCH_MAIN_LISTING_H_

#include <string>
#include <vector>

#include "duetbench/api/flags.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/platform/exit_status.h"

namespace duetbench {

// Says that no `what` ("duet", "benchmark") matches the filter, which is an error.
ExitStatus NothingMatched(const char* what);

// --benchmark_list_tests: the names of ordinary benchmarks, then those of duets.
ExitStatus PrintNames(const std::string& filter, const std::vector<DuetInstance>& instances);

// --duet_list: each duet with the seconds that it takes at most. Duets of one name are selected
// together by any filter: they are listed once. A group of more than two variants that is measured
// together is one line, which ends with a tab and the filter that selects its duets.
ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_LISTING_H_
