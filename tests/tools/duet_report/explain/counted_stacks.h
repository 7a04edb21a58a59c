#ifndef DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_COUNTED_STACKS_H_
#define DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_COUNTED_STACKS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "duetbench/record/explanation.h"

namespace duetbench {

// Stacks with their counts, innermost address first; each ends in the harness, at address 9.
inline CountedStacks StacksOf(
    const std::vector<std::pair<std::vector<uint64_t>, uint64_t>>& counts) {
  CountedStacks stacks;
  stacks.files = {"/home/a/bench"};
  for (const auto& [addresses, count] : counts) {
    CountedStack& stack = stacks.stacks.emplace_back();
    for (const uint64_t address : addresses) stack.places.push_back({0, address});
    stack.places.push_back({0, 9});
    stack.count = count;
  }
  return stacks;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_TOOLS_DUET_REPORT_EXPLAIN_COUNTED_STACKS_H_
