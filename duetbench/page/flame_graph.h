#ifndef DUETBENCH_PAGE_FLAME_GRAPH_H_
#define DUETBENCH_PAGE_FLAME_GRAPH_H_

#include <string>

#include "duetbench/explain/call_tree.h"

namespace duetbench::page {

// A differential flame graph with its caption: each function stands on the one that calls it, as
// wide as the mean of its times in old and new. Red: new takes longer in it, blue: shorter; gray:
// the interval of the difference contains 0. The browser shows times and interval of the function
// below the mouse. Empty if the tree has no calls.
std::string FlameGraph(const CallNode& calls);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_FLAME_GRAPH_H_
