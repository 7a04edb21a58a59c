#ifndef DUETBENCH_RECORD_STACKS_H_
#define DUETBENCH_RECORD_STACKS_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

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
  uint64_t dropped = 0;  // moments for which there was no memory
};

// The stacks of a run, of each loop of a variant; indexed by variant, 0 old and 1 new.
struct RunStacks {
  std::vector<CountedStacks> variants[2];
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_STACKS_H_
