#ifndef DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_

#include <vector>

#include "duetbench/api/duet_spec.h"

namespace duetbench {

// The duets of this program, in order of registration: the one thing that is global, since macros
// register before main. Not for concurrent use with registration.
std::vector<const DuetSpec*> RegisteredDuets();

// Adds a duet to them.
void RegisterSpec(DuetSpec spec);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
