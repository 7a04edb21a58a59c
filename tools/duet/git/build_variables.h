#ifndef TOOLS_DUET_GIT_BUILD_VARIABLES_H_
#define TOOLS_DUET_GIT_BUILD_VARIABLES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The environment variables of a build. No list of variables that decide a build can be complete:
// compilers, CMake, its packages (NAME_ROOT, NAME_DIR) and every project read others. So all
// variables do, with two exceptions. Variables of the session and of the CI job are hidden from the
// build, which therefore cannot depend on them; and it gets credentials and the like, which say how
// something is fetched and not what.
namespace duetbench::duet {

enum class VariableUse {
  kDecides,  // the build gets it, and another value makes another build
  kPassed,   // the build gets it
  kHidden,   // the build does not get it
};

VariableUse UseOfVariable(absl::string_view name);

// `environment` has elements NAME=VALUE. Those that decide, sorted.
std::vector<std::string> DecidingVariables(const std::vector<std::string>& environment);

// A shell command that hides the hidden ones of `environment`, with "; " at its end; empty if there
// is none.
std::string HideVariables(const std::vector<std::string>& environment);

// The environment of this process.
std::vector<std::string> Environment();

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_BUILD_VARIABLES_H_
