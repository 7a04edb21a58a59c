#ifndef DUETBENCH_PLATFORM_REOPEN_FILES_H_
#define DUETBENCH_PLATFORM_REOPEN_FILES_H_

namespace duetbench {

// Gives this process, a fork, its own offsets in the files that it can read and that were open
// before the fork: else one process moves the offset of the other. Each is opened again under its
// number, with the same flags and the offset that it has. What cannot be opened again (the rights
// have changed) stays shared, as do files that are only written, pipes and devices. About 5 µs for
// each open file.
void ReopenFiles();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_REOPEN_FILES_H_
