#ifndef TOOLS_DUET_GIT_BUILD_MACHINE_H_
#define TOOLS_DUET_GIT_BUILD_MACHINE_H_

#include <string>
#include <vector>

// Properties of a machine that decide a build, besides its sources and its environment.
namespace duetbench::duet {

// A text that differs between machines, or states of one, that build differently:
// - compilers, linkers and build tools: for their usual names, those in CC, CXX and
// CMAKE_TOOLCHAIN_FILE, and the words
//   of `commands`, the path behind all symbolic links, the size and the time of the last change of
//   each file of this name in PATH. Of each, not of the first only, which may be a compiler cache
//   or another wrapper;
// - installed headers and libraries, by the databases of the package managers;
// - the processor, for which -march=native compiles.
//
// Not seen are libraries that no package manager installed, such as those in /usr/local.
// `environment` has elements NAME=VALUE; `root` is put before paths of the system: "" but in tests.
// About 3 ms.
std::string DescribeMachine(const std::vector<std::string>& commands,
                            const std::vector<std::string>& environment, const std::string& root);

// The size and the time of the last change of all files in a folder, which may be in no repository.
// 2 to 5 µs for each file.
std::string DescribeFolder(const std::string& folder);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_BUILD_MACHINE_H_
