#ifndef TOOLS_DUET_COMMANDS_H_
#define TOOLS_DUET_COMMANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// duet run --old='COMMAND' --new='COMMAND': any two commands, each execution from its start to its
// end.
namespace duetbench::duet {

struct RunCommandLine {
  std::string commands[2];
  std::string name = "run";        // of the row in reports
  bool any_exit_status = false;    // else another one than 0 is an error
  std::vector<std::string> flags;  // as those of a program with duets
  bool help = false;
};

// Reads the arguments that follow `duet run`.
absl::StatusOr<RunCommandLine> ParseRunCommandLine(const std::vector<std::string>& arguments);

// The words of a command. One that needs no shell gets none, which would take time, too.
std::vector<std::string> WordsOfCommand(absl::string_view command);

// Prints everything, and returns how to end. `program` is argv[0] of this one.
int RunMain(const std::string& program, const std::vector<std::string>& arguments);

extern const char kRunUsage[];

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_COMMANDS_H_
