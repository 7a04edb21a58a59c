#ifndef TOOLS_DUET_CODE_UNWINDING_H_
#define TOOLS_DUET_CODE_UNWINDING_H_

#include <libelf.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

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

// A mapping of the memory of a process (proc_pid_maps(5)).
struct Mapping {
  uint64_t begin = 0, end = 0;  // addresses
  uint64_t offset = 0;          // in the file
  bool executable = false;
  std::string file;  // may be empty, or in brackets
};

// `text` is that of /proc/PID/maps; lines that are none of mappings are left out.
std::vector<Mapping> ParseMappings(absl::string_view text);

// Empty if the process has ended.
std::vector<Mapping> MappingsOf(pid_t process);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_UNWINDING_H_
