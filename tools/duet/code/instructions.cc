#include "tools/duet/code/instructions.h"

#include <Zydis/Zydis.h>

namespace duetbench::duet {
namespace {

const ZydisDecoder& Decoder() {
  static const ZydisDecoder* const decoder = [] {
    auto* const made = new ZydisDecoder;
    ZydisDecoderInit(made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return made;
  }();
  return *decoder;
}

struct Instruction {
  ZydisDecodedInstruction all;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

  bool Read(const uint8_t* bytes, uint64_t size) {
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&Decoder(), bytes, size, &all, operands));
  }
  // The operand in memory whose address is relative to the instruction; null: none.
  const ZydisDecodedOperand* Relative() const {
    for (int i = 0; i < all.operand_count; ++i) {
      const ZydisDecodedOperand& operand = operands[i];
      if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
          (operand.mem.base == ZYDIS_REGISTER_RIP || operand.mem.base == ZYDIS_REGISTER_EIP)) {
        return &operand;
      }
    }
    return nullptr;
  }
};

// Offset 0x28 of the thread is the canary; 0 is the address of the thread's storage itself, which
// leads to variables.
constexpr int64_t kCanary = 0x28;

bool UsesThreadStorage(const Instruction& instruction) {
  if ((instruction.all.attributes & (ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS)) ==
      0) {
    return false;
  }
  for (int i = 0; i < instruction.all.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.segment == ZYDIS_REGISTER_FS &&
        operand.mem.base == ZYDIS_REGISTER_NONE && operand.mem.index == ZYDIS_REGISTER_NONE &&
        operand.mem.disp.value == kCanary) {
      return false;
    }
  }
  return true;
}

}  // namespace

DecodedFunction Decode(const uint8_t* bytes, uint64_t size, uint64_t address) {
  DecodedFunction function;
  Instruction instruction;
  for (uint64_t at = 0; at < size; at += instruction.all.length) {
    if (!instruction.Read(bytes + at, size - at)) return function;
    const ZydisDecodedInstruction& all = instruction.all;
    function.uses_thread_storage |= UsesThreadStorage(instruction);
    const uint64_t next = address + at + all.length;
    CodeReference reference;
    if (const ZydisDecodedOperand* const operand = instruction.Relative()) {
      if (operand->mem.base != ZYDIS_REGISTER_RIP || all.raw.disp.size != 32 ||
          operand->mem.index != ZYDIS_REGISTER_NONE) {
        return function;
      }
      reference.offset = at + all.raw.disp.offset;
      reference.size = 4;
      reference.target = next + static_cast<uint64_t>(operand->mem.disp.value);
      // The operand of lea is an address that nothing is read from.
      if (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM) reference.access = operand->size / 8;
      function.references.push_back(reference);
      continue;
    }
    for (const auto& immediate : all.raw.imm) {
      if (immediate.size == 0 || !immediate.is_relative) continue;
      reference.offset = at + immediate.offset;
      reference.size = immediate.size / 8;
      reference.target = next + static_cast<uint64_t>(immediate.value.s);
      reference.is_branch = true;
      if (reference.target >= address && reference.target < address + size) continue;
      function.references.push_back(reference);
    }
  }
  function.is_understood = true;
  return function;
}

std::vector<uint64_t> ConstantsIn(const uint8_t* bytes, uint64_t size) {
  std::vector<uint64_t> constants;
  Instruction instruction;
  for (uint64_t at = 0; at < size; at += instruction.all.length) {
    if (!instruction.Read(bytes + at, size - at)) return {};
    for (const auto& immediate : instruction.all.raw.imm) {
      if (immediate.is_relative) continue;
      for (uint64_t word = 0; word + 4 <= immediate.size / 8; word += 4) {
        constants.push_back(at + immediate.offset + word);
      }
    }
  }
  return constants;
}

uint64_t SlotOfStub(const uint8_t* bytes, uint64_t size, uint64_t address) {
  Instruction instruction;
  for (uint64_t at = 0; at < size && at < 16; at += instruction.all.length) {
    if (!instruction.Read(bytes + at, size - at)) return 0;
    if (instruction.all.mnemonic == ZYDIS_MNEMONIC_ENDBR64) continue;
    const ZydisDecodedOperand* const operand = instruction.Relative();
    if (instruction.all.mnemonic != ZYDIS_MNEMONIC_JMP || operand == nullptr) return 0;
    return address + at + instruction.all.length + static_cast<uint64_t>(operand->mem.disp.value);
  }
  return 0;
}

}  // namespace duetbench::duet
