#ifndef DUETBENCH_CODE_LAYOUT_REACH_H_
#define DUETBENCH_CODE_LAYOUT_REACH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/code_layout/movable_code.h"

namespace duetbench {

// The functions of `code` that only one of several variants leads to, for each variant, in the
// order of a breadth-first search: of variants alike, functions with the same index correspond.
// `entries` are addresses of each variant: of functions, or of tables of functions in data, such as
// a virtual table. A function leads to those that it calls, whose address it takes, or that are in
// a table of which it takes the address. What is called through other pointers is not seen.
std::vector<std::vector<int32_t>> FunctionsOfVariants(
    const MovableCode& code, absl::Span<const std::vector<uint64_t>> entries);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_REACH_H_
