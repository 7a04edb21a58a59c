// duet_stat: what the pairs of a duet say, from files. --help says how.

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tools/duet_stat/input/byte_source.h"
#include "tools/duet_stat/program.h"

int main(int argc, char** argv) {
  // Beyond a limit on the size of files, writing then fails with a cause that can be told.
  std::signal(SIGXFSZ, SIG_IGN);
  const bool colors = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const duetbench::duet_stat::World world{duetbench::duet_stat::OpenByteSource, std::cout,
                                          std::cerr, colors};
  return duetbench::duet_stat::RunProgram(std::vector<std::string>(argv + 1, argv + argc), world);
}
