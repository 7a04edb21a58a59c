#ifndef TOOLS_DUET_TOOL_FLAGS_H_
#define TOOLS_DUET_TOOL_FLAGS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"

// Functions that the commands of the tool share.
namespace duetbench::duet {

// Prints the error; returns kExitError, or if it is Cancelled the status of the signal that came.
int Fail(const absl::Status& status);

// Gives the flags of a program with duets to the library; with `help`, it prints them and ends this
// process. False: an unknown one is among them, which was printed.
bool TakeFlags(const std::string& program, const std::vector<std::string>& flags, bool help);

// Remembers which file `file` is (platform/executable.h). One that the tool does not see, as in a
// container, has no mark.
void AddMark(const std::string& file, std::map<std::string, std::string>* marks);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_TOOL_FLAGS_H_
