#ifndef DUETBENCH_API_FLAG_PARSING_H_
#define DUETBENCH_API_FLAG_PARSING_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/flags.h"

namespace duetbench {

// Values of environment variables by name.
using Variables = std::map<std::string, std::string>;

// Those of this process. None in one with the rights of another user (set-user-ID): flags name
// files to write.
Variables TrustedVariables();

// All flags, from the arguments of a program and the environment. A seed that is not given is
// random. InvalidArgument for an unknown --duet_ flag (with the nearest one that exists), for a
// variable that is misspelt by up to two characters, for a removed one (with what replaces it), and
// for a bad value: Google Benchmark itself would ignore one of its flags, or print its usage and
// end with status 0.
absl::StatusOr<Flags> ReadFlags(const std::vector<std::string>& arguments,
                                const Variables& environment);

// The flags that most users need, those of Google Benchmark among them: one screen of 80 columns.
std::string UsersHelp();

// All flags of duetbench, in 80 columns.
std::string FlagsHelp();

// The error for an argument that is left over: names the nearest flag of duetbench or of Google
// Benchmark. If that is the very flag, then Google Benchmark refused its value.
absl::Status UnknownArgument(const std::string& argument);

// The candidate that takes the fewest insertions, deletions and replacements of a character to make
// from `name`; of equals the first. Empty if even that takes more than two, or a third of the
// characters of `name` where this is more.
std::string NearestName(absl::string_view name, const std::vector<std::string>& candidates);

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAG_PARSING_H_
