// run_copy [--traps] SEED PROGRAM [ARGUMENT…]: executes a copy of a program and its
// libraries with another code layout. With --traps the original code of what was moved is
// overwritten.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/code_layout/executable_file.h"

namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "run_copy: %s\n", std::string(status.message()).c_str());
  return 125;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace duetbench;
  const bool traps = argc > 1 && std::string(argv[1]) == "--traps";
  char** const arguments = argv + (traps ? 2 : 1);
  if (argv + argc - arguments < 2) return 125;
  const uint64_t seed = std::strtoull(arguments[0], nullptr, 10);
  const auto program = Executable::Read(arguments[1]);
  if (!program.ok()) return Fail(program.status());
  const absl::StatusOr<CodeLayouts::Copies> copies =
      CodeLayouts::OfVariants(*program, {})->MakeCopies(seed, 0, traps);
  if (!copies.ok()) return Fail(copies.status());
  // The descriptors of the libraries are those of this process.
  const pid_t child = fork();
  if (child == 0) {
    execv(PathOfDescriptor((*copies)->front().get()).c_str(), arguments + 1);
    std::perror("run_copy: execv");
    _exit(125);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
