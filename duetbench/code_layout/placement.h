#ifndef DUETBENCH_CODE_LAYOUT_PLACEMENT_H_
#define DUETBENCH_CODE_LAYOUT_PLACEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/code_layout/movable_code.h"

namespace duetbench {

// The places that functions take in a layout, in any order: which functions take the same place in
// another turn, or in another program.
struct Slots {
  struct Slot {
    // The functions that take it: one, or that of each program and turn, at
    // program * turns + turn. -1: none.
    std::vector<int32_t> functions;
    uint64_t size = 0;  // of the largest one
    uint64_t alignment = 16;
    std::vector<uint64_t> table_entries;  // of each of their jump tables, the largest one
  };
  std::vector<Slot> slots;
  uint32_t turns = 1;
};

// The slots of one program. `variants` are functions that belong to each variant: those with the
// same index take each other's places in turn, so that over as many turns as there are variants
// each is at each place once. One turn if no functions do.
Slots SlotsOfVariants(const MovableCode& code, absl::Span<const std::vector<int32_t>> variants);

// The slots of programs that are compared: functions with the same key (KeysOfFunctions) take the
// same place.
Slots SlotsOfPrograms(absl::Span<const MovableCode* const> programs,
                      absl::Span<const std::vector<std::string>> keys);

// Where the functions and the jump tables of a program lie in the new segment of a copy.
struct Placement {
  uint64_t begin = 0;                 // of the new segment, on a page
  std::vector<uint64_t> function_at;  // 0: it stays
  std::vector<uint64_t> table_at;
  uint64_t tables_end = 0;
  uint64_t end = 0;  // of the new segment in all programs, with what unwinds it
};

// Random places for all functions that move: in random order, at random distances of 16 bytes and
// more, about as dense as in 64 KiB more. The same for the same seed; turns exchange places only.
std::vector<Placement> PlaceFunctions(absl::Span<const MovableCode* const> programs,
                                      const Slots& slots, uint64_t seed, uint32_t turn);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_PLACEMENT_H_
