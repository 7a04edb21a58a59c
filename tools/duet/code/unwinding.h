#ifndef TOOLS_DUET_CODE_UNWINDING_H_
#define TOOLS_DUET_CODE_UNWINDING_H_

#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace duetbench::duet {

// Reads .eh_frame, which begins at `address`: the table of landing pads (LSDA) of each function
// that has one. False: it has a form that g++ and clang++ do not write.
bool ReadLandingPads(const unsigned char* ident, Elf_Data* data, uint64_t address,
                     std::map<uint64_t, uint64_t>* tables);

// A table of landing pads (Itanium C++ ABI, exception handling, 7.3), without its padding.
struct LandingPads {
  // Call sites and actions: numbers that are relative to the function.
  size_t begin = 0;
  size_t end = 0;
  // The offsets of the words that refer, relative to themselves, to the types that are caught, in
  // the order of their numbers.
  std::vector<size_t> types;
};

// False: it is not understood, or cut off.
bool ParseLandingPads(const uint8_t* bytes, size_t size, LandingPads* parsed);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_UNWINDING_H_
