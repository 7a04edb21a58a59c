#ifndef TOOLS_DUET_GIT_GIT_H_
#define TOOLS_DUET_GIT_GIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::duet {

// duet git BASE [NEW] --binary=PATH […]
struct GitCommandLine {
  std::string base;
  std::string revision;  // NEW; empty: the working tree
  std::string configure = "cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release";
  std::string build = "cmake --build {build} --parallel";
  std::string binary;                // in the build folder
  std::string cache;                 // empty: below the user's cache folder
  std::vector<std::string> links;    // untracked folders that each commit gets, too
  bool is_data_shared = false;       // both programs run in the current folder
  bool rebuild = false;              // although it is in the cache
  std::vector<std::string> compare;  // for duet OLD NEW
  bool help = false;
};

// Reads the arguments that follow `duet git`.
absl::StatusOr<GitCommandLine> ParseGitCommandLine(const std::vector<std::string>& arguments);

// `command` with {source} and {build} replaced, each as one word of a shell.
std::string FillIn(absl::string_view command, absl::string_view source, absl::string_view build);

extern const char kGitUsage[];

// `duet git BASE [NEW] …`; `arguments` without the word git. Prints everything, and returns how to
// end.
int GitMain(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_GIT_H_
