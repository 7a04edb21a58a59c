#ifndef DUETBENCH_TESTS_PACKAGE_BUILD_LISTS_H_
#define DUETBENCH_TESTS_PACKAGE_BUILD_LISTS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

namespace duetbench {

// What a build file says about a target.
struct BuildTarget {
  std::set<std::string> sources;  // the .cc files, from the folder of the build file
  std::set<std::string> layers;   // those of the library that it names
};

// By name.
using BuildTargets = std::map<std::string, BuildTarget>;

// The libraries, programs and tests that a CMakeLists.txt declares by duetbench_layer, _test and
// _sample, add_library, add_executable and add_test, but for interface libraries and aliases. The
// target duetbench_x of the library is x here: names of CMake are global, those of Bazel are not.
// Calls whose name is a variable are not seen.
BuildTargets CMakeTargets(const std::string& text);

// The same of a BUILD.bazel: every rule that has a name, but for header-only libraries, which CMake
// has no need of, groups of files and groups of packages.
BuildTargets BazelTargets(const std::string& text);

// What differs between the two files of `folder`, a line each that says which one lacks what. Pure.
std::vector<std::string> BuildDifferences(const std::string& folder, const BuildTargets& cmake,
                                          const BuildTargets& bazel);

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_PACKAGE_BUILD_LISTS_H_
