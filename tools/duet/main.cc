// The program `duet`: compares two builds, or two revisions.
#include <string>
#include <vector>

#include "tools/duet/compare.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return duetbench::duet::CompareMain(argv[0], arguments);
}
