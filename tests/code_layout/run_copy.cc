// run_copy [--traps] SEED PROGRAM [ARGUMENT…]: executes a copy of a program with another code
// layout. With --traps the original code of what was moved is overwritten.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/movable_code.h"
#include "duetbench/code_layout/placement.h"
#include "duetbench/code_layout/program_copy.h"

namespace {

int Fail(const char* program, const absl::Status& status) {
  std::fprintf(stderr, "run_copy: %s %s\n", program, std::string(status.message()).c_str());
  return 125;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace duetbench;
  CopyOptions options;
  options.traps = argc > 1 && std::string(argv[1]) == "--traps";
  char** const arguments = argv + (options.traps ? 2 : 1);
  if (argv + argc - arguments < 2) return 125;
  const uint64_t seed = std::strtoull(arguments[0], nullptr, 10);
  const char* const program = arguments[1];
  const absl::StatusOr<MappedFile> file = MappedFile::Open(program);
  if (!file.ok()) return Fail(program, file.status());
  const absl::StatusOr<MovableCode> code = ReadMovableCode(file->bytes());
  if (!code.ok()) return Fail(program, code.status());
  const MovableCode* const programs[] = {&*code};
  const Slots slots = SlotsOfVariants(*code, {});
  const Placement placement = PlaceFunctions(programs, slots, seed, 0)[0];
  const absl::StatusOr<Descriptor> copy = MakeExecutable(
      WriteCopy(*code, placement, options), FolderOf(PathOfFile(program)), code->needs_its_folder);
  if (!copy.ok()) return Fail(program, copy.status());
  execv(PathOfDescriptor(copy->get()).c_str(), arguments + 1);
  std::perror("run_copy: execv");
  return 125;
}
