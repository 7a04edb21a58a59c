#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_INSTRUCTION_COUNTS_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_INSTRUCTION_COUNTS_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "duetbench/record/explanation.h"

namespace duetbench {

// Per iteration, of a function.
struct FunctionCounts {
  double calls = 0;
  // Executed in it; of a function of the standard libraries, with those that it calls.
  double instructions = 0;
};

// Counts that differ by no more than 0.5 % of the larger one: iterations need not be alike.
bool IsSameCount(double a, double b);

// All counts of a variant.
struct FunctionTable : InstructionCounts {
  // By ShortFunction. Calls of system code are those in the user's code, as in StackSite, or else
  // those by system code: a function that ends with a jump to another one is in no stack.
  std::map<std::string, FunctionCounts> functions;
};

// A function (ShortFunction) that allocates memory: "operator new[]", "calloc".
bool Allocates(absl::string_view function);

// From a file of callgrind (format version 1, without compression and levels of recursion). All
// zeros if it has nothing.
FunctionTable ReadCallgrind(const CallgrindFile& file);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_INSTRUCTION_COUNTS_H_
