#ifndef DUETBENCH_EXPLAIN_INSTRUCTION_COUNTS_H_
#define DUETBENCH_EXPLAIN_INSTRUCTION_COUNTS_H_

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench {

// Per iteration, of a function.
struct FunctionCounts {
  double calls = 0;
  // Executed in it; of a function of the standard libraries, with those that it calls.
  double instructions = 0;
};

// Counts that differ by no more than 0.5 % of the larger one: iterations need not be alike.
bool IsSameCount(double a, double b);

// Per iteration of a variant, as Callgrind counted them: exact, without noise, and blind to caches
// and branch prediction.
struct InstructionCounts {
  double instructions = 0;
  double calls = 0;
  double allocations = 0;
  // By ShortFunction. Calls of system code are those in the user's code, as in StackSite, or else
  // those by system code: a function that ends with a jump to another one is in no stack.
  std::map<std::string, FunctionCounts> functions;
};

// The count with the name `event` among --benchmark_perf_counters and gates:
// CALLGRIND-INSTRUCTIONS, CALLGRIND-CALLS, CALLGRIND-ALLOCATIONS. Nothing: there is no such count.
std::optional<double> CallgrindCount(absl::string_view event, const InstructionCounts& counts);
inline bool IsCallgrindEvent(absl::string_view event) {
  return CallgrindCount(event, {}).has_value();
}

// A function (ShortFunction) that allocates memory: "operator new[]", "calloc".
bool Allocates(absl::string_view function);

// From a file of callgrind (format version 1, without compression and levels of recursion) of
// `iterations` iterations. All zeros if it has nothing.
InstructionCounts ReadCallgrind(absl::string_view text, double iterations);

}  // namespace duetbench

#endif  // DUETBENCH_EXPLAIN_INSTRUCTION_COUNTS_H_
