#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_WHY_LINES_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_WHY_LINES_H_

#include <functional>
#include <string>
#include <vector>

#include "tools/duet_report/explain/explained_difference.h"

// The sentences of an explanation. Pure functions.
namespace duetbench {

// Calls `set` for each part that a line names, but for those of system code.
void ForNamedCode(ExplainedDifference* explanation,
                  const std::function<void(DifferencePart*)>& set);

// At most three lines: "+7.1 of +8.3 % in operator new, called from Trim (maps.cc:12)". One line
// that says so if no part is proven. Empty if the explanation was not wanted.
std::vector<std::string> WhyLines(const ExplainedDifference& explanation);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_WHY_LINES_H_
