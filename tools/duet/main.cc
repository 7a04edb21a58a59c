// The program `duet`: compares two builds, or two revisions.
#include <string>
#include <vector>

#include "tools/duet/compare.h"
#include "tools/duet/git.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "git") {
    return duetbench::duet::GitMain(argv[0], {arguments.begin() + 1, arguments.end()});
  }
  return duetbench::duet::CompareMain(argv[0], arguments);
}
