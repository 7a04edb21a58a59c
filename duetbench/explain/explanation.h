#ifndef DUETBENCH_EXPLAIN_EXPLANATION_H_
#define DUETBENCH_EXPLAIN_EXPLANATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/explain/call_tree.h"
#include "duetbench/explain/code_names.h"
#include "duetbench/explain/stack_site.h"
#include "duetbench/explain/time_difference.h"

// From the stacks of both variants to the functions in which one takes longer than the other. Pure
// functions but for the names of code.
namespace duetbench {

// A function, at the place where the difference is largest: its time without the functions that it
// calls. Intervals are simultaneous over all parts (Bonferroni).
struct DifferencePart : StackSite, TimeDifference {};

struct Explanation {
  std::string error;             // why there are no parts; else empty
  double time_ns[2] = {0, 0};    // per iteration, of the comparison; here and below old and new
  double level = 0;              // of the intervals
  uint64_t moments[2] = {0, 0};  // that were recorded, of the variants
  // Sorted by the size of the difference. Their times add up to time_ns, and so do the differences.
  std::vector<DifferencePart> parts;
  CallNode calls;

  bool is_wanted() const { return !error.empty() || !parts.empty(); }
};

// The explanation of the times `time_ns` per iteration by the stacks of at least three runs. Each
// run gives one value for each function: its share of the moments of new, times the time of new,
// less the same of old. The interval is Student's t over the runs. Parts below 1 % of either time
// are one part, without a function.
Explanation Explain(absl::Span<const RunStacks> runs, const double (&time_ns)[2], double level,
                    CodeNames* names);

// At most three lines: "+7.1 of +8.3 % in operator new, called from Trim (maps.cc:12)". One line
// that says so if no part is proven. Empty if the explanation was not wanted.
std::vector<std::string> WhyLines(const Explanation& explanation);

}  // namespace duetbench

#endif  // DUETBENCH_EXPLAIN_EXPLANATION_H_
