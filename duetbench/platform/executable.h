#ifndef DUETBENCH_PLATFORM_EXECUTABLE_H_
#define DUETBENCH_PLATFORM_EXECUTABLE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// The path of the file that this process executes; empty if it is not known.
std::string PathOfThisProgram();

// The path of the executable `name` in the folders of PATH; empty if it is in none.
std::string FindInPath(const std::string& name);

// A mark that changes if the file `path` is replaced or written: its device and inode, its size and
// the time of its last change. Empty if there is no such file. One system call.
std::string MarkOfFile(const std::string& path);

// Aborted if the mark of one of these files is no longer that of `marks` (mark by path): it was
// built again in the meantime, so that runs would be of two builds.
absl::Status CheckMarks(const std::map<std::string, std::string>& marks);

// The files whose code this process has mapped: its executable and its shared libraries. Empty
// where there is no /proc. About 0.1 ms.
std::vector<std::string> MappedFiles();

// The same for the text of a file /proc/PID/maps. Without files that were deleted.
std::vector<std::string> FilesInMaps(absl::string_view maps);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_EXECUTABLE_H_
