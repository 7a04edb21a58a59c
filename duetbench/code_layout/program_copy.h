#ifndef DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_
#define DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_

#include <cstdint>
#include <vector>

#include "duetbench/code_layout/movable_code.h"
#include "duetbench/code_layout/placement.h"

namespace duetbench {

struct CopyOptions {
  // Asks the kernel for the same base address in each process (see WriteCopy).
  bool has_fixed_base = false;
  // For tests: the original code of functions that moved is overwritten with traps, so that a
  // reference that was overlooked ends the program.
  bool traps = false;
};

// The bytes of a copy of the program in which functions and jump tables lie at the places of
// `placement`: the file up to the end of what is loaded, and one more segment behind it, with their
// copies and with the table by which exceptions find frame descriptions, of the original code and
// of the copies. The copy has no table of sections and lacks one note, whose entry in the table of
// segments the new one has. Empty if it would be larger than displacements reach.
//
// has_fixed_base: the segments demand an alignment of 2^44, of which there is one multiple in the
// range where Linux (5.10 and later) loads programs; an older kernel ignores it.
std::vector<uint8_t> WriteCopy(const MovableCode& code, const Placement& placement,
                               const CopyOptions& options);

// The address of the end of the new segment, if it has the functions and tables of `placement`.
uint64_t EndOfCopy(const MovableCode& code, const Placement& placement);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_
