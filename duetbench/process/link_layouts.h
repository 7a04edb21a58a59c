#ifndef DUETBENCH_PROCESS_LINK_LAYOUTS_H_
#define DUETBENCH_PROCESS_LINK_LAYOUTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

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

// What cksum(1) of POSIX prints for its standard input, "CRC SIZE".
std::string PosixChecksum(const std::string& bytes);

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_LINK_LAYOUTS_H_
