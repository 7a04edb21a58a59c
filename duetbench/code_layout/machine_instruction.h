#ifndef DUETBENCH_CODE_LAYOUT_MACHINE_INSTRUCTION_H_
#define DUETBENCH_CODE_LAYOUT_MACHINE_INSTRUCTION_H_

#include <cstdint>

#include "absl/types/span.h"

namespace duetbench {

// The length of an x86-64 instruction, and its bytes that depend on where it lies: a displacement
// from its end to a branch target, or to an operand in memory.
struct MachineInstruction {
  uint8_t length = 0;             // 0: not understood
  uint8_t displacement_at = 0;    // offset of the displacement
  uint8_t displacement_size = 0;  // 0 (none), 1 or 4
  bool is_branch = false;         // call, jmp, jcc; else the displacement is of an operand

  // For recognizing jump tables. `map`: 0 opcodes of one byte, 1 after 0f, 2 after 0f 38, 3 after
  // 0f 3a, 5 and 6 of EVEX.
  uint8_t map = 0;
  uint8_t opcode = 0;
  uint8_t rex = 0;
  uint8_t modrm = 0;
  uint8_t sib = 0;
  uint8_t operand_offset = 0;  // of an operand [register + offset] with an offset of one byte

  // Numbers of the registers in ModRM and SIB, 0 to 15.
  int reg() const { return (modrm >> 3 & 7) | (rex & 4) << 1; }
  int rm() const { return (modrm & 7) | (rex & 1) << 3; }
  int base() const { return (sib & 7) | (rex & 1) << 3; }
  bool has_register_operand() const { return modrm >> 6 == 3; }
};

// The instruction at the start of `code`. It is understood if it is complete, and compilers make
// it: instructions up to AVX-512; not those that no 64-bit code has, XOP and 32-bit addresses
// relative to the instruction.
MachineInstruction DecodeInstruction(absl::Span<const uint8_t> code);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_MACHINE_INSTRUCTION_H_
