#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "tests/fuzz/targets.h"
#include "tools/duet/command_line.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet_stat/options.h"

namespace duetbench {
namespace {

// True if it was accepted; a refusal has a message about an argument.
template <class Result>
bool IsAccepted(const absl::StatusOr<Result>& result) {
  if (result.ok()) return true;
  FuzzCheck(result.status().code() == absl::StatusCode::kInvalidArgument,
            "a tool refuses an argument");
  FuzzCheck(!result.status().message().empty(), "a tool says what it refuses");
  return false;
}

void FuzzDuetStat(const std::vector<std::string>& arguments) {
  const absl::StatusOr<duet_stat::Options> options = duet_stat::ParseOptions(arguments);
  if (!IsAccepted(options) || !options->text.empty()) return;
  FuzzCheck(!options->files.empty(), "there is a file to read");
  FuzzCheck(options->level > 0 && options->level < 1, "the level is between 0 and 1");
  FuzzCheck(options->margin >= 0, "a margin is not negative");
  FuzzCheck(options->subset.skip >= 0 && options->subset.skip < 1, "a part of each run is left");
  FuzzCheck(options->run_cost_s >= 0, "a run costs no negative time");
  FuzzCheck(stats::CheckResampling(options->resampling).ok(), "replicates keep their limits");
}

void FuzzDuet(const std::vector<std::string>& arguments) {
  const absl::StatusOr<duet::CommandLine> line = duet::ParseCommandLine(arguments);
  if (!IsAccepted(line) || line->help) return;
  for (const duet::ProgramCommand& program : line->programs) {
    FuzzCheck(!program.text.empty(), "there are two programs");
    std::string executable;
    const std::vector<std::string> words = duet::WordsOf(program, &executable);
    FuzzCheck(!executable.empty() && words.size() > program.arguments.size(),
              "a program can be started");
    FuzzCheck(program.arguments == line->programs[0].arguments, "both have the same arguments");
  }
  for (const std::string& flag : line->flags) {
    FuzzCheck(absl::StartsWith(flag, "-") && flag != "--", "a flag is one");
  }
}

void FuzzDuetGit(const std::vector<std::string>& arguments) {
  const absl::StatusOr<duet::GitCommandLine> line = duet::ParseGitCommandLine(arguments);
  if (!IsAccepted(line) || line->help) return;
  FuzzCheck(!line->binary.empty(), "there is a program");
  const std::string command = duet::FillIn(line->configure, "a folder", "another");
  FuzzCheck(!absl::StrContains(command, "{source}") && !absl::StrContains(command, "{build}"),
            "the folders are filled in");
}

}  // namespace

void FuzzToolOptions(absl::string_view input) {
  const char tool = input.empty() ? 's' : input.front();
  if (!input.empty()) input.remove_prefix(1);
  std::vector<std::string> arguments;
  for (const absl::string_view line : absl::StrSplit(input, '\n')) {
    // An argument holds no zero byte.
    arguments.emplace_back(line.substr(0, line.find('\0')));
  }
  switch (tool) {
    case 'd':
      return FuzzDuet(arguments);
    case 'g':
      return FuzzDuetGit(arguments);
    default:
      return FuzzDuetStat(arguments);
  }
}

}  // namespace duetbench
