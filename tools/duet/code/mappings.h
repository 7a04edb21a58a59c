#ifndef TOOLS_DUET_CODE_MAPPINGS_H_
#define TOOLS_DUET_CODE_MAPPINGS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench::duet {

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

#endif  // TOOLS_DUET_CODE_MAPPINGS_H_
