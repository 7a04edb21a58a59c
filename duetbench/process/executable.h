#ifndef DUETBENCH_PROCESS_EXECUTABLE_H_
#define DUETBENCH_PROCESS_EXECUTABLE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// The programs that tools/cmake/duet_link_layouts.sh has linked beside `program`, from the same
// objects with functions in another order: PROGRAM.layouts/1, PROGRAM.layouts/2, and so on. The
// program itself, which comes first, is layout 0. One element, the program itself, where there is
// no such folder.
//
// FailedPrecondition if they are not of the same link as `program`, which PROGRAM.layouts/of tells:
// the checksum and the size of the program, as cksum(1) prints them. Reads the program once if
// there is such a folder.
absl::StatusOr<std::vector<std::string>> FindLinkLayouts(const std::string& program);

// The path of the file that this process executes; empty if it is not known.
std::string PathOfThisProgram();

// The output of cksum(1) of POSIX for its standard input, "CRC SIZE".
std::string PosixChecksum(const std::string& bytes);

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

#endif  // DUETBENCH_PROCESS_EXECUTABLE_H_
