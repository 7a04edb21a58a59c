#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAIN_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAIN_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "duetbench/record/explanation.h"
#include "tools/duet_report/explain/code_names.h"
#include "tools/duet_report/explain/explained_difference.h"

namespace duetbench {

// The whole of `duet_report explain`: names the functions, counts, compares and lists their code.
// `names` may be null: then the explanation says that there are none.
Explanation ExplainRecording(const RecordedStacks& recording, CodeNames* names);

// Sets DifferencePart::same_code where old and new execute the function in one file: a function of
// both is the same code, and the functions that are compared are not.
void CompareNamedCode(ExplainedDifference* explained);

// Sets ExplainedDifference::listing to the hottest loop of the first function that is named, as
// objdump(1) prints it, or to one line why there is none. About 0.1 s.
void ListHottestLoop(ExplainedDifference* explained);

// The explanation in the JSON of a suite (report.schema.json).
nlohmann::ordered_json ExplanationJson(const ExplainedDifference& explained);

// The tree of calls in it, from its node "calls".
CallNode CallsIn(const nlohmann::json& node);

// The sentences of an explanation. Pure functions.

// Calls `set` for each part that a line names, but for those of system code.
void ForNamedCode(ExplainedDifference* explanation,
                  const std::function<void(DifferencePart*)>& set);

// At most three lines: "+7.1 of +8.3 % in operator new, called from Trim (maps.cc:12)". One line
// that says so if no part is proven. Empty if the explanation was not wanted.
std::vector<std::string> WhyLines(const ExplainedDifference& explanation);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAIN_H_
