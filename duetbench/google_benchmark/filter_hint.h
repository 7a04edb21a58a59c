#ifndef DUETBENCH_GOOGLE_BENCHMARK_FILTER_HINT_H_
#define DUETBENCH_GOOGLE_BENCHMARK_FILTER_HINT_H_

#include <string>
#include <vector>

#include "duetbench/api/duet_spec.h"

namespace duetbench {

// For a filter that selects nothing and was copied from a row of a variant, "X/new" or "X/old": ";
// a duet is selected as a whole: --benchmark_filter='^X$'", if that selects one of `specs`. Else
// empty.
std::string HintForRowName(const std::string& filter, const std::vector<const DuetSpec*>& specs);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_FILTER_HINT_H_
