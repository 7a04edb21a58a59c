#include "duetbench/code_layout/machine_instruction.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace duetbench {
namespace {

constexpr size_t kLongest = 15;  // bytes of an instruction

// Operands and constants that follow each opcode:
//   . nothing               M operand (ModRM)        N operand and byte      Z operand and z
//   b byte                  w 2 bytes                e 3 bytes               o address
//   z 4 bytes (2 with 66)   v constant of the operand's size
//   j relative byte         J relative word
//   G operand and, for test, a constant
//   x not understood        - prefix or escape, handled before
constexpr char kOneByteOpcodes[] =
    "MMMMbzxxMMMMbzx-"
    "MMMMbzxxMMMMbzxx"
    "MMMMbz-xMMMMbz-x"
    "MMMMbz-xMMMMbz-x"
    "----------------"
    "................"
    "xx-M----zZbN...."
    "jjjjjjjjjjjjjjjj"
    "NZxNMMMMMMMMMMMM"
    "..........x....."
    "oooo....bz......"
    "bbbbbbbbvvvvvvvv"
    "NNw.--NZe.w..bx."
    "MMMMxxx.MMMMMMMM"
    "jjjjbbbbJJxj...."
    "-.--..GG......MM";
constexpr char kTwoByteOpcodes[] =
    "MMMMx.....x.xM.N"
    "MMMMMMMMMMMMMMMM"
    "MMMMxxxxMMMMMMMM"
    "........-x-xxxxx"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "NNNNMMM.MMxxMMMM"
    "JJJJJJJJJJJJJJJJ"
    "MMMMMMMMMMMMMMMM"
    "...MNMxx...MNMMM"
    "MMMMMMMMMMNMMMMM"
    "MMNMNNNM........"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM"
    "MMMMMMMMMMMMMMMM";
static_assert(sizeof kOneByteOpcodes == 257 && sizeof kTwoByteOpcodes == 257, "one for each byte");

struct Prefixes {
  bool has_66 = false, has_67 = false, is_vector = false;
};

bool IsPrefix(uint8_t byte) {
  return memchr("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", byte, 11) != nullptr;
}

// Reads the prefixes and the opcode; false: not understood.
bool ReadOpcode(const uint8_t* bytes, size_t* at, Prefixes* prefixes, MachineInstruction* out) {
  constexpr size_t kMostPrefixes = 10;
  for (; IsPrefix(bytes[*at]); ++*at) {
    if (*at == kMostPrefixes) return false;
    prefixes->has_66 |= bytes[*at] == 0x66;
    prefixes->has_67 |= bytes[*at] == 0x67;
  }
  if ((bytes[*at] & 0xf0) == 0x40) out->rex = bytes[(*at)++];
  const uint8_t first = bytes[*at], second = bytes[*at + 1];
  constexpr uint8_t kVex2 = 0xc5, kVex3 = 0xc4, kEvex = 0x62;
  if (first == kVex2 || first == kVex3 || first == kEvex) {
    prefixes->is_vector = true;
    out->map = first == kVex2 ? 1 : second & (first == kVex3 ? 0x1f : 7);
    *at += first == kVex2 ? 2 : first == kVex3 ? 3 : 4;
    if (out->map == 0 || out->map == 4 || out->map > 6) return false;
  } else if (first == 0x0f) {
    out->map = second == 0x38 ? 2 : second == 0x3a ? 3 : 1;
    *at += out->map == 1 ? 1 : 2;
  }
  out->opcode = bytes[(*at)++];
  return true;
}

char KindOf(const MachineInstruction& instruction, bool is_vector) {
  const char kind = instruction.map == 0   ? kOneByteOpcodes[instruction.opcode]
                    : instruction.map == 1 ? kTwoByteOpcodes[instruction.opcode]
                    : instruction.map == 3 ? 'N'
                                           : 'M';
  constexpr uint8_t kVzeroupper = 0x77;
  const bool has_operand = kind == 'J' || (kind == '.' && instruction.opcode != kVzeroupper);
  return is_vector && has_operand ? 'M' : kind;
}

// Reads ModRM, SIB and the displacement; false: not understood.
bool ReadOperand(const uint8_t* bytes, size_t* at, bool has_67, MachineInstruction* out) {
  out->modrm = bytes[(*at)++];
  constexpr uint8_t kPopOrXop = 0x8f;
  if (out->map == 0 && out->opcode == kPopOrXop && (out->modrm & 0x38) != 0) return false;
  const int mode = out->modrm >> 6, low = out->modrm & 7;
  if (mode == 3) return true;
  size_t size = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  if (low == 4) {
    out->sib = bytes[(*at)++];
    if (mode == 0 && (out->sib & 7) == 5) size = 4;
  } else if (mode == 0 && low == 5) {
    if (has_67) return false;
    size = 4;
    out->displacement_at = static_cast<uint8_t>(*at);
    out->displacement_size = 4;
  }
  if (size == 1) out->operand_offset = bytes[*at];
  *at += size;
  return true;
}

}  // namespace

MachineInstruction DecodeInstruction(absl::Span<const uint8_t> code) {
  // Reads past the end of `code` read zeros. Opcode, ModRM and SIB end before byte 20.
  uint8_t bytes[24] = {};
  const size_t available = std::min(code.size(), kLongest);
  std::copy_n(code.data(), available, bytes);
  MachineInstruction out;
  Prefixes prefixes;
  size_t at = 0;
  if (!ReadOpcode(bytes, &at, &prefixes, &out)) return {};
  const char kind = KindOf(out, prefixes.is_vector);
  const bool has_operand = kind == 'M' || kind == 'N' || kind == 'Z' || kind == 'G';
  if (has_operand && !ReadOperand(bytes, &at, prefixes.has_67, &out)) return {};
  const bool is_64 = (out.rex & 8) != 0;
  const size_t word = prefixes.has_66 && !is_64 ? 2 : 4;
  switch (kind) {
    case '.':
    case 'M':
      break;
    case 'b':
    case 'N':
      at += 1;
      break;
    case 'z':
    case 'Z':
      at += word;
      break;
    case 'w':
      at += 2;
      break;
    case 'e':
      at += 3;
      break;
    case 'o':
      at += prefixes.has_67 ? 4 : 8;
      break;
    case 'v':
      at += is_64 ? 8 : word;
      break;
    case 'G':
      if ((out.modrm & 0x30) == 0) at += out.opcode == 0xf6 ? 1 : word;
      break;
    case 'j':
    case 'J':
      out.is_branch = true;
      out.displacement_at = static_cast<uint8_t>(at);
      out.displacement_size = kind == 'j' ? 1 : 4;
      at += out.displacement_size;
      break;
    default:
      return {};
  }
  if (at > available) return {};
  out.length = static_cast<uint8_t>(at);
  return out;
}

}  // namespace duetbench
