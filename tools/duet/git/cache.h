#ifndef TOOLS_DUET_GIT_CACHE_H_
#define TOOLS_DUET_GIT_CACHE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The folder that keeps builds. Programs in it are executed, so nobody but this user may write
// there.
namespace duetbench::duet {

// `chosen` (--cache), or $XDG_CACHE_HOME/duetbench, or $HOME/.cache/duetbench. A variable that is
// no absolute path does not count. FailedPrecondition: none of them is set.
absl::StatusOr<std::string> CacheRoot(const std::string& chosen);

// Makes the folder, and those above it that are missing, with mode 0700. Returns its path without
// symbolic links. PermissionDenied names the first folder that lets somebody else replace programs
// in it: `path` belongs to this user, who alone may enter it; the folder around it can be written
// by nobody else; the folders above belong to this user or root, and others may write to none of
// them unless it is sticky.
absl::StatusOr<std::string> MakePrivateFolder(const std::string& path);

// Locks the folder until the process ends; a second process waits.
absl::Status LockFolder(const std::string& folder);

// All that decides a build besides its sources: the environment, the tools in PATH, the installed
// packages and the processor.

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

#endif  // TOOLS_DUET_GIT_CACHE_H_
