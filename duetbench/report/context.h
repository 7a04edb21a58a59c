#ifndef DUETBENCH_REPORT_CONTEXT_H_
#define DUETBENCH_REPORT_CONTEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "duetbench/runner/machine.h"
#include "duetbench/runner/options.h"

namespace duetbench {

// What the "context" of a JSON report says about duets, by key: where and how they were compared,
// and the seed that makes the same choices again. The keys begin with "duet_"; the values are text,
// as the library has no others. What a benchmark sets for itself in the chain is not in it.
std::vector<std::pair<std::string, std::string>> ContextEntries(const Machine& machine,
                                                                const ExperimentOptions& options);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_CONTEXT_H_
