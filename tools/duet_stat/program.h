#ifndef DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_
#define DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/byte_source.h"

namespace duetbench::duet_stat {

// The parts of the world that the program touches.
struct World {
  std::function<absl::StatusOr<ByteSource>(const std::string& path)> open;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
};

// The whole program; returns the exit status. Messages about what is wrong, and, unless the format
// is console, notices, go to `err`.
int RunProgram(const std::vector<std::string>& arguments, const World& world);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_
