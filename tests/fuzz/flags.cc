#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/api/google_benchmark_flags.h"
#include "duetbench/api/option_table.h"
#include "tests/fuzz/targets.h"

namespace duetbench {
namespace {

void CheckRefusal(const absl::Status& status) {
  FuzzCheck(status.code() == absl::StatusCode::kInvalidArgument, "a refusal is of an argument");
  FuzzCheck(!status.message().empty(), "a refusal says why");
}

}  // namespace

void FuzzFlags(absl::string_view input) {
  std::vector<std::string> arguments = {"program"};
  std::map<std::string, std::string> variables;
  for (absl::string_view line : absl::StrSplit(input, '\n')) {
    // Neither an argument nor a variable holds a zero byte.
    line = line.substr(0, line.find('\0'));
    if (absl::ConsumePrefix(&line, "$")) {
      const std::pair<std::string, std::string> variable =
          absl::StrSplit(line, absl::MaxSplits('=', 1));
      variables.insert(variable);
    } else {
      arguments.emplace_back(line);
    }
  }
  const GetEnvironment environment = [&variables](const char* name) -> const char* {
    const auto it = variables.find(name);
    return it == variables.end() ? nullptr : it->second.c_str();
  };
  Flags flags;
  absl::Status status = ApplyEnvironment(environment, &flags);
  if (status.ok()) status = ParseArguments(&arguments, &flags);
  if (!status.ok()) return CheckRefusal(status);
  FuzzCheck(!arguments.empty() && arguments.front() == "program", "the program is not taken");
  for (const bool reads_iterations : {false, true}) {
    ExperimentOptions options = flags.options;
    const auto google_benchmark =
        ReadGoogleBenchmarkFlags(arguments, environment, reads_iterations, &options);
    if (!google_benchmark.ok()) {
      CheckRefusal(google_benchmark.status());
      continue;
    }
    FuzzCheck(BrokenRule(options).empty(), "accepted options keep the rules");
  }
  // As a program does, of the first argument that is left.
  if (arguments.size() > 1) CheckRefusal(UnknownArgument(arguments[1]));
}

}  // namespace duetbench
