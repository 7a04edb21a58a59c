#ifndef DUETBENCH_PROCESS_FILE_MARK_H_
#define DUETBENCH_PROCESS_FILE_MARK_H_

#include <string>

namespace duetbench {

// What tells whether the file `path` is still the same, and has the same content: its device and
// inode, its size and the time of its last change. Empty if there is no such file. One system call.
std::string MarkOfFile(const std::string& path);

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_FILE_MARK_H_
