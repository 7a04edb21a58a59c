#ifndef DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_
#define DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace duetbench::duet_stat {

using OpenFile =
    std::function<absl::StatusOr<std::unique_ptr<std::istream>>(const std::string& path)>;

// A file, or for "-" standard input. The error names the file and says why it cannot be opened.
absl::StatusOr<std::unique_ptr<std::istream>> OpenInputFile(const std::string& path);

// The parts of the world that the program touches.
struct World {
  OpenFile open;
  std::ostream& out;
  std::ostream& err;
  bool colors = false;
};

// The whole program; returns the exit status. Messages about what is wrong go to `err`.
int RunProgram(const std::vector<std::string>& arguments, const World& world);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_PROGRAM_H_
