#ifndef DUETBENCH_API_FLAG_PARSING_H_
#define DUETBENCH_API_FLAG_PARSING_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/flags.h"

namespace duetbench {

// Looks up an environment variable; null if it is not set. (getenv, but for tests.)
using GetEnvironment = std::function<const char*(const char*)>;

// Takes every DUET_* variable that belongs to a flag. InvalidArgument names the variable and what
// it should have been.
absl::Status ApplyEnvironment(const GetEnvironment& environment, Flags* flags);

// Takes the --duet_* arguments out of `arguments` (argv without argv[0]) and applies them.
// InvalidArgument for an unknown name (with the nearest one that exists) and for a bad value.
absl::Status ParseArguments(std::vector<std::string>* arguments, Flags* flags);

// "duet_runs": of an option of a duet, or of a program.
bool IsFlag(absl::string_view name);

// The flags that most users need, those of Google Benchmark among them: one screen of 80 columns.
std::string UsersHelp();

// All flags of duetbench, in 80 columns.
std::string FlagsHelp();

// The error for an argument that is left over: names the nearest flag of duetbench or of Google
// Benchmark. If that is the very flag, then Google Benchmark refused its value.
absl::Status UnknownArgument(const std::string& argument);

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAG_PARSING_H_
