#ifndef DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_
#define DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "duetbench/code_layout/movable_code.h"
#include "duetbench/code_layout/placement.h"

namespace duetbench {

// The longest path of a copy of a library.
inline constexpr size_t kMostPathOfCopy = 31;

struct CopyOptions {
  // The paths of the copies of libraries that it demands, by their names. At most kMostPathOfCopy
  // bytes each.
  std::map<std::string, std::string> libraries;
  // The alignment of the base address, a power of two; 0: as in the file (see WriteCopy).
  uint64_t base_alignment = 0;
  // For tests: the original code of functions that moved is overwritten with traps, so that a
  // reference that was overlooked ends the program.
  bool traps = false;
};

// The bytes of a copy of the file in which functions and jump tables lie at the places of
// `placement`: the file up to the end of what is loaded, and one more segment behind it, with their
// copies, with the table by which exceptions find frame descriptions, of the original code and of
// the copies, and with the names of the libraries that it demands. The copy has no table of
// sections and lacks one note, whose entry in the table of segments the new one has. Empty if it
// would be larger than displacements reach.
//
// base_alignment: what the segments demand. Linux (5.10 and later; an older one ignores it) loads a
// program at the last multiple that is not above the address which it has chosen.
std::vector<uint8_t> WriteCopy(const MovableCode& code, const Placement& placement,
                               const CopyOptions& options);

// The address of the end of the new segment, if it has the functions and tables of `placement`.
uint64_t EndOfCopy(const MovableCode& code, const Placement& placement);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_PROGRAM_COPY_H_
