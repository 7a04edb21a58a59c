#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CALL_TREE_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CALL_TREE_H_

#include <string>
#include <utility>
#include <vector>

#include "tools/duet_report/explain/stack_site.h"

namespace duetbench {

// The time per iteration in a part of the code, of old and new, and by how much new takes longer.
struct TimeDifference {
  double ns[2] = {0, 0};
  double difference_ns = 0;
  double lo_ns = 0;  // interval of the difference
  double hi_ns = 0;
  bool is_proven() const { return lo_ns > 0 || hi_ns < 0; }
};

// From the times of old and new in each run, two at least: their means, and Student's t interval of
// the difference that misses it with probability `alpha`.
TimeDifference DifferenceOf(const std::vector<std::pair<double, double>>& times, double alpha);

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

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CALL_TREE_H_
