#ifndef DUETBENCH_RECORD_EXPLANATION_JSON_H_
#define DUETBENCH_RECORD_EXPLANATION_JSON_H_

#include <nlohmann/json.hpp>

#include "duetbench/record/explanation.h"

namespace duetbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InstructionCounts, instructions, calls, allocations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CallgrindFile, text, iterations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CodePlace, file, address)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CountedStack, places, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CountedStacks, files, stacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunStacks, variants)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedStacks, runs, time_ns, level, counts, with_code)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Explanation, lines, listing, json)

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_EXPLANATION_JSON_H_
