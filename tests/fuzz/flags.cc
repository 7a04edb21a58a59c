#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/api/flag_parsing.h"
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
  const absl::StatusOr<Flags> flags = ReadFlags(arguments, variables);
  if (!flags.ok()) return CheckRefusal(flags.status());
  FuzzCheck(BrokenRule(flags->options).empty(), "accepted options keep the rules");
  // As a program does, of the first argument that is left.
  if (arguments.size() > 1) CheckRefusal(UnknownArgument(arguments[1]));
}

}  // namespace duetbench
