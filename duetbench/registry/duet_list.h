#ifndef DUETBENCH_REGISTRY_DUET_LIST_H_
#define DUETBENCH_REGISTRY_DUET_LIST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/runner/options.h"

namespace duetbench {

// A duet benchmark as --duet_list shows it: one line, "duet SECONDS NAME".
struct ListedDuet {
  std::string name;         // the whole name, arguments included: "BM_A_vs_BM_B/64"
  double most_seconds = 0;  // that measuring it may take; who waits longer waits for nothing
};

// The duet benchmarks that --benchmark_filter selects, in order of registration; ordinary
// benchmarks are left out. Measures nothing. Google Benchmark tells the names of what it has but
// not whose they are, so it is asked twice: what the filter selects, and what there is after every
// duet has been given a name that tells it. So this is the last thing that a process does with its
// benchmarks. benchmark::Initialize must have been called.
std::vector<ListedDuet> ListDuets();

// A duet's name for the second listing, and back: the number of its family and its own name. False
// for a name that was not marked.
std::string MarkedName(int family, absl::string_view name);
bool ReadMarkedName(absl::string_view marked, int* family, std::string* name);

// The longest time that a duet measured with `options` may take, `repetitions` times: its measuring
// time, starts and set-ups several times over, and room for a run that is stuck to say so itself.
double MostSeconds(const ExperimentOptions& options, int repetitions);

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_DUET_LIST_H_
