#ifndef DUETBENCH_TESTS_FUZZ_TARGETS_H_
#define DUETBENCH_TESTS_FUZZ_TARGETS_H_

#include <cstdio>
#include <cstdlib>

#include "absl/strings/string_view.h"

// The fuzz targets: each gives `input` to parsers and stops the program if one of them breaks what
// it promises.
namespace duetbench {

// The tasks and results that processes of a run and their parent exchange. The first byte says
// what the rest is: a task, a result, or changes of a valid one. What is accepted is encoded to
// what is accepted again, as the same.
void FuzzProtocol(absl::string_view input);

// Command lines: an argument in each line, and variables of the environment as "NAME=VALUE" in
// those that begin with '$'. What is refused has a message; what is accepted keeps the rules of
// options.
void FuzzFlags(absl::string_view input);

// Files of pairs and of times, for their readers and the whole of duet_stat: an error has a message
// with the name of the file, accepted pairs are usable, the exit status is 0 or 2.
void FuzzReaders(absl::string_view input);

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
