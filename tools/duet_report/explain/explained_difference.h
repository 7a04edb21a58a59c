#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAINED_DIFFERENCE_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAINED_DIFFERENCE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/record/explanation.h"
#include "tools/duet_report/explain/call_tree.h"
#include "tools/duet_report/explain/code_names.h"
#include "tools/duet_report/explain/instruction_counts.h"
#include "tools/duet_report/explain/stack_site.h"

// From the stacks of both variants to the functions in which one takes longer than the other. Pure
// functions but for the names of code.
namespace duetbench {

// The code of a function in one of the builds.
struct FunctionCode {
  std::string name;  // ShortFunction
  std::string file;  // executable or shared library; empty: the function was not seen there
  uint64_t begin = 0;
  uint64_t size = 0;
  std::map<uint64_t, uint64_t> moments;  // by the address of the instruction
};

// A function, at the place where the difference is largest: its time without the functions that it
// calls. Intervals are simultaneous over all parts (Bonferroni).
struct DifferencePart : StackSite, TimeDifference {
  FunctionCode code[2];  // unless it is system code
  // Old and new execute the same instructions, apart from addresses; empty: not known.
  std::optional<bool> same_code;
  std::optional<FunctionCounts> counts[2];  // both or none: not counted
};

struct ExplainedDifference {
  std::string error;             // why there are no parts; else empty
  double time_ns[2] = {0, 0};    // per iteration, of the comparison; here and below old and new
  double level = 0;              // of the intervals
  uint64_t moments[2] = {0, 0};  // that were recorded, of the variants
  // Proven ones first; of these, first those in the direction of the whole difference; of these,
  // first those worth a line whose instructions changed likewise, or are not known: the time of the
  // others changed as a consequence, if there is a reason elsewhere. Then by size. Their times add
  // up to time_ns, and so do the differences.
  std::vector<DifferencePart> parts;
  CallNode calls;
  std::optional<FunctionTable> counts[2];  // both or none: not counted
  std::vector<std::string> listing;        // code_listing.h, if it was wanted

  bool is_wanted() const { return !error.empty() || !parts.empty(); }
};

// The explanation of the times `time_ns` per iteration by the stacks of at least three runs. Each
// run gives one value for each function: its share of the moments of new, times the time of new,
// less the same of old. The interval is Student's t over the runs. Parts below 1 % of either time
// are one part, without a function.
ExplainedDifference Explain(absl::Span<const RunStacks> runs, const double (&time_ns)[2],
                            double level, CodeNames* names);

// Proven, and a tenth of the whole difference or more.
bool IsWorthALine(const DifferencePart& part, const ExplainedDifference& explanation);

// Sets the counts of the parts, and puts them in order.
void AddCounts(const FunctionTable& of_old, const FunctionTable& of_new,
               ExplainedDifference* explanation);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_EXPLAINED_DIFFERENCE_H_
