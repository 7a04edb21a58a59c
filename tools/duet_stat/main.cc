// duet_stat: what the pairs of a duet say, from files. --help says how.

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "tools/duet_stat/program.h"

int main(int argc, char** argv) {
  // Beyond a limit on the size of files, writing then fails with a cause that can be told.
  std::signal(SIGXFSZ, SIG_IGN);
  const bool colors = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const duetbench::duet_stat::World world{duetbench::duet_stat::OpenInputFile, std::cout, std::cerr,
                                          colors};
  try {
    return duetbench::duet_stat::RunProgram(std::vector<std::string>(argv + 1, argv + argc), world);
  } catch (const std::bad_alloc&) {
    std::fputs(
        "duet_stat: there is not enough memory for these data: give fewer files or benchmarks, or "
        "raise the limit (ulimit -v)\n",
        stderr);
    return 2;
  }
}
