#ifndef TOOLS_DUET_COMMAND_LINE_H_
#define TOOLS_DUET_COMMAND_LINE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace duetbench::duet {

// A program that is compared: a path, or a command for the shell, with the arguments of both.
struct ProgramCommand {
  std::string text;       // the path, or the command
  bool is_shell = false;  // --old=… and --new=…
  std::vector<std::string> arguments;
  std::string folder = "";  // to start it in, and `text` is an absolute path; empty: this one
};

// Which variant of a DUET_BENCHMARK of both programs is compared.
enum class ComparedVariant { kOld, kNew, kBoth };

// duet OLD NEW [NEW…] [FLAG…] [-- ARGUMENT…]
struct CommandLine {
  std::vector<ProgramCommand> programs;  // 2 to kMaxVariants; more than two are paths
  ComparedVariant variant = ComparedVariant::kNew;
  std::vector<std::string> flags;  // for this program, as those of a program with duets
  bool help = false;
};

// Reads the arguments without argv[0]. InvalidArgument says what is missing or too much.
absl::StatusOr<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments);

// The names of the programs in reports: old and new; of more the part of their paths in which they
// differ, from the end: "b" and "c" of b/bench and c/bench. Programs that still have one name are
// numbered.
std::vector<std::string> NamesOf(const std::vector<ProgramCommand>& programs);

// The words that start the program; `executable` becomes the file to execute.
std::vector<std::string> WordsOf(const ProgramCommand& program, std::string* executable);

// The files that it names and that can be executed: the path, or those among the words of a
// command, such as a script that starts the program.
std::vector<std::string> FilesOf(const ProgramCommand& program);

// The text of `duet --help` before the flags.
extern const char kUsage[];

// Functions that the commands of the tool share.

// Prints the error; returns kExitError, or if it is Cancelled the status of the signal that came.
int Fail(const absl::Status& status);

// Gives the flags of a program with duets to the library; with `help`, it prints them and ends this
// process. False: an unknown one is among them, which was printed.
bool TakeFlags(const std::string& program, const std::vector<std::string>& flags, bool help);

// Remembers which file `file` is (platform/process.h). One that the tool does not see, as in a
// container, has no mark.
void AddMark(const std::string& file, std::map<std::string, std::string>* marks);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_COMMAND_LINE_H_
