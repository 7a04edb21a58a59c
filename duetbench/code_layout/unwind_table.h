#ifndef DUETBENCH_CODE_LAYOUT_UNWIND_TABLE_H_
#define DUETBENCH_CODE_LAYOUT_UNWIND_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/code_layout/elf_file.h"

namespace duetbench {

// DW_EH_PE_pcrel with DW_EH_PE_sdata4 and sdata8 (-mcmodel=medium), and DW_EH_PE_omit, of the Linux
// Standard Base.
inline constexpr uint8_t kPointerFromHere = 0x1b;
inline constexpr uint8_t kWidePointerFromHere = 0x1c;
inline constexpr uint8_t kNoPointer = 0xff;

// The code that a frame description entry (FDE) is of. Compilers write one for each function, and
// one for its cold part; aliases share theirs, and stripped files have them.
struct UnwoundCode {
  uint64_t begin = 0, end = 0;
  uint64_t fde = 0;           // address of its FDE
  uint64_t fde_offset = 0;    // in the file
  uint64_t fde_size = 0;      // bytes, with the length at its start
  uint64_t lsda_at = 0;       // offset in the FDE of the pointer to its landing pads; 0: none
  bool is_lsda_wide = false;  // that pointer has eight bytes, not four
  bool has_own_landing_pads = true;  // they are relative to its begin, or there are none
};

struct UnwindTable {
  struct Entry {
    uint64_t code = 0, fde = 0;  // addresses
  };
  std::vector<Entry> entries;      // of .eh_frame_hdr, all
  std::vector<UnwoundCode> codes;  // those with pointers as compilers write them, ascending
};

// Reads the segment GNU_EH_FRAME of a file. FailedPrecondition, with the reason: there is none, or
// not as linkers write it, or codes overlap.
absl::StatusOr<UnwindTable> ReadUnwindTable(const ElfFile& file);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_UNWIND_TABLE_H_
