#ifndef TOOLS_DUET_CODE_INSTRUCTIONS_H_
#define TOOLS_DUET_CODE_INSTRUCTIONS_H_

#include <cstdint>
#include <vector>

namespace duetbench::duet {

// Four bytes, or one, of an instruction that are an address relative to it.
struct CodeReference {
  uint64_t offset = 0;  // in the function, of these bytes
  uint64_t target = 0;
  uint32_t size = 0;  // of these bytes
  // Bytes that the instruction reads or writes at the address; 0: it takes the address.
  uint32_t access = 0;
  bool is_branch = false;
};

struct DecodedFunction {
  bool is_understood = false;
  bool uses_thread_storage = false;       // beside the canary of the stack
  std::vector<CodeReference> references;  // that leave the function
};

// Decodes `size` bytes of a function of x86-64 that begins at `address`, one instruction after the
// other. About 10 MB/s.
DecodedFunction Decode(const uint8_t* bytes, uint64_t size, uint64_t address);

// The offsets of all words of four bytes in constants of instructions.
std::vector<uint64_t> ConstantsIn(const uint8_t* bytes, uint64_t size);

// The address from which the stub of a procedure linkage table at `bytes` jumps to where it reads
// there; 0: it is no stub.
uint64_t SlotOfStub(const uint8_t* bytes, uint64_t size, uint64_t address);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_INSTRUCTIONS_H_
