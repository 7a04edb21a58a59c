#ifndef DUETBENCH_RECORD_EXPLANATION_H_
#define DUETBENCH_RECORD_EXPLANATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"

// The words of a program and duet_report: the program records stacks and has Callgrind
// count, duet_report names the functions.
namespace duetbench {

// A place in the code of a file, whichever addresses the loader gave it.
struct CodePlace {
  uint64_t file = 0;     // number in CountedStacks::files
  uint64_t address = 0;  // as the file's own headers count addresses
};
inline bool operator<(const CodePlace& a, const CodePlace& b) {
  return std::tie(a.file, a.address) < std::tie(b.file, b.address);
}
inline bool operator==(const CodePlace& a, const CodePlace& b) {
  return a.file == b.file && a.address == b.address;
}

// A stack of calls, from the innermost function outwards: the instruction that was executed, and
// the calls (the last byte of each) that led there.
struct CountedStack {
  std::vector<CodePlace> places;
  uint64_t count = 0;  // of moments at which the thread was there
};

// The stacks of one loop of a variant.
struct CountedStacks {
  std::vector<std::string> files;  // executable and shared libraries, by path
  std::vector<CountedStack> stacks;
};

// The stacks of a run, of each loop of a variant; indexed by variant, 0 old and 1 new.
struct RunStacks {
  std::vector<CountedStacks> variants[2];
};

// Per iteration of a variant, as Callgrind counted them: exact, without noise, and blind to caches
// and branch prediction.
struct InstructionCounts {
  double instructions = 0;
  double calls = 0;
  double allocations = 0;
};

// The count with the name `event` among --benchmark_perf_counters and gates:
// CALLGRIND-INSTRUCTIONS, CALLGRIND-CALLS, CALLGRIND-ALLOCATIONS. Nothing: there is no such count.
inline std::optional<double> CallgrindCount(absl::string_view event,
                                            const InstructionCounts& counts) {
  if (event == "CALLGRIND-INSTRUCTIONS") return counts.instructions;
  if (event == "CALLGRIND-CALLS") return counts.calls;
  if (event == "CALLGRIND-ALLOCATIONS") return counts.allocations;
  return std::nullopt;
}
inline bool IsCallgrindEvent(absl::string_view event) {
  return CallgrindCount(event, {}).has_value();
}

// A file that Callgrind wrote about some iterations of a variant. `duet_report count` makes
// InstructionCounts of a list of them.
struct CallgrindFile {
  std::string text;
  double iterations = 0;
};

// The input of `duet_report explain`.
struct RecordedStacks {
  std::vector<RunStacks> runs;
  double time_ns[2] = {0, 0};         // per iteration, of old and new
  double level = 0;                   // of the intervals
  std::vector<CallgrindFile> counts;  // of old and new; empty: not counted
  bool with_code = false;             // list the hottest loop
};

// The answer of `duet_report explain`: why one variant takes longer.
struct Explanation {
  std::vector<std::string> lines;    // at most three, or one that says why there are none
  std::vector<std::string> listing;  // the hottest loop, if it was wanted
  std::string json;                  // all of it, as in the JSON of a suite (an object)

  bool is_wanted() const { return !lines.empty(); }
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_EXPLANATION_H_
