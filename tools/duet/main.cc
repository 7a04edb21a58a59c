// The program `duet`: compares two builds, two revisions or two commands.
#include <string>
#include <vector>

#include "tools/duet/commands.h"
#include "tools/duet/compare.h"
#include "tools/duet/execution.h"
#include "tools/duet/git/git.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  int status = 0;
  if (duetbench::duet::ServeExecution(arguments, &status)) return status;
  if (!arguments.empty() && arguments[0] == "run") {
    return duetbench::duet::RunMain(argv[0], {arguments.begin() + 1, arguments.end()});
  }
  if (!arguments.empty() && arguments[0] == "git") {
    return duetbench::duet::GitMain(argv[0], {arguments.begin() + 1, arguments.end()});
  }
  return duetbench::duet::CompareMain(argv[0], arguments);
}
