#ifndef DUETBENCH_EXPLAIN_CALL_TREE_H_
#define DUETBENCH_EXPLAIN_CALL_TREE_H_

#include <string>
#include <utility>
#include <vector>

#include "duetbench/explain/stack_site.h"
#include "duetbench/explain/time_difference.h"

namespace duetbench {

// The stacks of a run, of old and new.
struct NamedRun {
  std::vector<NamedStack> variants[2];
};

// A function, where it is called from by way of these functions.
struct CallNode {
  std::string function;
  TimeDifference time;  // with the functions that it calls; intervals simultaneous over the tree
  std::vector<CallNode> calls;
};

// The calls below the functions that are compared, which are the root. Inlined functions are nodes
// too; a function that calls itself is one. Nodes below 1 % of both times are left out. Shares of
// the moments of each run times `time_ns`, as in Explain.
CallNode CallTreeOf(const std::vector<NamedRun>& runs, const double (&time_ns)[2], double level);

}  // namespace duetbench

#endif  // DUETBENCH_EXPLAIN_CALL_TREE_H_
