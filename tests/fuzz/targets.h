#ifndef DUETBENCH_TESTS_FUZZ_TARGETS_H_
#define DUETBENCH_TESTS_FUZZ_TARGETS_H_

#include <cstdio>
#include <cstdlib>

#include "absl/strings/string_view.h"

// The fuzz targets: each gives `input` to parsers and stops the program if one of them breaks what
// it promises. readers.h has the one of duet_stat.
namespace duetbench {

// The tasks and results that processes of a run and their parent exchange. The first byte says
// what the rest is: a task, a result, or changes of a valid one. What is accepted is encoded to
// what is accepted again, as the same.
void FuzzProtocol(absl::string_view input);

// Command lines: an argument in each line, and variables of the environment as "NAME=VALUE" in
// those that begin with '$'. What is refused has a message; what is accepted keeps the rules of
// options.
void FuzzFlags(absl::string_view input);

// Lists of CPUs, cgroup files and trees of /sys and /proc, as a container or a foreign kernel may
// present them. The first byte says which.
void FuzzMachineFiles(absl::string_view input);

// Command lines of the tools: the first byte says which (s: duet_stat, d: duet, g: duet git), then
// there is an argument in each line.
void FuzzToolOptions(absl::string_view input);

// Executables, whose code is moved to a copy. What is refused has a reason.
void FuzzMovableCode(absl::string_view input);

// Stops the program unless `holds`.
inline void FuzzCheck(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "a promise is broken: %s\n", promise);
  std::abort();
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_FUZZ_TARGETS_H_
