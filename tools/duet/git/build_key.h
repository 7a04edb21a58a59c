#ifndef TOOLS_DUET_GIT_BUILD_KEY_H_
#define TOOLS_DUET_GIT_BUILD_KEY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

// All that decides a build besides its sources: the environment, the tools in PATH, the installed
// packages and the processor.
namespace duetbench::duet {

// Shell commands that come before those of a build. They hide the variables of the session and of
// the CI job, on which the build therefore cannot depend, use ccache where it is installed, and
// make files that nobody else can change. `cache`: below it are all sources and builds.
std::string BuildPrologue(const std::string& cache);

// A hash that differs where a build may differ: of
// - `text`;
// - all variables of the environment, without the hidden ones, credentials and the like, which say
//   how something is fetched and not what;
// - the size and the time of the last change of each program in the folders of PATH (all of them: a
//   wrapper such as ccache finds its compiler there), of each absolute path that `commands`, CC,
//   CXX or CMAKE_TOOLCHAIN_FILE name, and of each file below `folders`;
// - the package managers' lists of what is installed, and the processor, for which -march=native
//   compiles;
// - git's settings that decide how it writes the files of a commit.
// Not seen are libraries that no package manager installed, such as those in /usr/local.
//
// Runs a script in the repository `top`: 70 ms (2 vCPUs, AMD EPYC Zen 4, VM).
absl::StatusOr<std::string> BuildKey(const std::string& top, const std::string& text,
                                     const std::vector<std::string>& commands,
                                     const std::vector<std::string>& folders);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_BUILD_KEY_H_
