// duet_stat: what the pairs of a duet say, from files. --help says how.

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "duetbench/pairs_io/file_source.h"
#include "tools/duet_stat/program.h"

int main(int argc, char** argv) {
  const bool colours = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const duetbench::duet_stat::World world{duetbench::OpenByteSource, std::cout, std::cerr, colours};
  return duetbench::duet_stat::RunProgram(std::vector<std::string>(argv + 1, argv + argc), world);
}
