#ifndef DUETBENCH_TESTS_FUZZ_READERS_H_
#define DUETBENCH_TESTS_FUZZ_READERS_H_

#include "absl/strings/string_view.h"

namespace duetbench::duet_stat {

// Gives `input` to the readers of pairs and of times and to the whole of duet_stat, as a file would
// be, and stops the program if one of them breaks what it promises: an error has a message with the
// name of the file, whatever the blocks in which it comes the outcome is the same, accepted pairs
// are usable, what is written is read again, and the exit status is 0 or 2. The first byte decides
// the size of the blocks; the rest is the file.
void FuzzReaders(absl::string_view input);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TESTS_FUZZ_READERS_H_
