#include "tools/duet/commands.h"

#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/api/main.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/tool.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/process.h"
#include "tools/duet/command_line.h"
#include "tools/duet/executions.h"

namespace duetbench::duet {
namespace {

// From this exit status on the command was not found or not executed.
constexpr int kNotExecuted = 126;

// It is a path, or in PATH; a shell has commands that are neither.
bool IsProgram(const std::string& name) {
  return absl::StrContains(name, '/') || !FindInPath(name).empty();
}

}  // namespace

const char kRunUsage[] =
    "duet run --old='COMMAND' --new='COMMAND' [FLAG...]\n"
    "\n"
    "Compares two commands: executes them at the same time, each on one CPU, or in turns\n"
    "(--duet_schedule=interleaved), and compares their wall times, or their CPU times\n"
    "(--duet_time=cpu). User time, system time and the largest resident set of a process are\n"
    "reported too. Commands that disturb each other, or that use several CPUs, take turns.\n"
    "A COMMAND with characters that a shell interprets is for /bin/sh. Each execution reads stdin\n"
    "from its beginning, if that is a file (duet run ... < FILE); its stdout is /dev/null, which\n"
    "`COMMAND | cat > FILE` changes.\n"
    "\n"
    "  --name=NAME         of the row in reports (default: run)\n"
    "  --any_exit_status   another exit status than 0 is no error\n"
    "\n"
    "  duet run --old='sort -n f' --new='sort -g f' --benchmark_min_time=10 --duet_max_ratio=1.05\n"
    "\n"
    "An execution longer than --duet_timeout (60 s) is an error. All other flags, the reports, "
    "the\n"
    "gates and the exit status are those of a program with duets: 0, 1 if a gate failed, 2 for "
    "errors.\n";

absl::StatusOr<RunCommandLine> ParseRunCommandLine(const std::vector<std::string>& arguments) {
  RunCommandLine line;
  for (const std::string& argument : arguments) {
    absl::string_view value = argument;
    if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (absl::ConsumePrefix(&value, "--old=")) {
      line.commands[0] = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--new=")) {
      line.commands[1] = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--name=")) {
      line.name = std::string(value);
    } else if (argument == "--any_exit_status") {
      line.any_exit_status = true;
    } else if (absl::StartsWith(argument, "-")) {
      line.flags.push_back(argument);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("'", argument, "' is too much: duet run --old='COMMAND' --new='COMMAND'"));
    }
  }
  if (line.help) return line;
  for (const int side : {0, 1}) {
    if (!absl::StripAsciiWhitespace(line.commands[side]).empty()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("there is no ", side == 0 ? "old" : "new",
                     " command: duet run --old='COMMAND' --new='COMMAND'"));
  }
  if (line.name.empty()) return absl::InvalidArgumentError("--name= is empty");
  return line;
}

std::vector<std::string> WordsOfCommand(absl::string_view command) {
  constexpr absl::string_view kInterpreted = "|&;<>()$`\\\"'*?[]#~=%!{}\n";
  const std::vector<std::string> words =
      absl::StrSplit(command, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  const bool is_simple = command.find_first_of(kInterpreted) == absl::string_view::npos;
  if (is_simple && !words.empty() && IsProgram(words[0])) return words;
  return {"/bin/sh", "-c", std::string(command)};
}

int RunMain(const std::string& program, const std::vector<std::string>& arguments) {
  const absl::StatusOr<RunCommandLine> line = ParseRunCommandLine(arguments);
  if (!line.ok()) return Fail(line.status());
  if (line->help) std::fputs(kRunUsage, stdout);
  if (!TakeFlags(program, line->flags, line->help)) return kExitError;
  ComparedPrograms compared;
  ExecutedPrograms programs;
  std::vector<std::string> words[2];
  for (const int side : {0, 1}) {
    words[side] = WordsOfCommand(line->commands[side]);
    for (const std::string& file : FilesOf({line->commands[side], true, {}})) {
      AddMark(file, &compared.marks);
    }
  }
  programs.words = [old_words = words[0], new_words = words[1]](int side, const RunPlan&, double) {
    return side == 0 ? old_words : new_words;
  };
  programs.shows_amounts = true;
  programs.times = [any_exit_status = line->any_exit_status](
                       const Execution& execution) -> absl::StatusOr<ExecutionTimes> {
    const bool has_ended = execution.exited() && execution.exit_status() < kNotExecuted;
    if (!has_ended || (execution.exit_status() != 0 && !any_exit_status)) {
      return absl::AbortedError(
          absl::StrCat(execution.HowItEnded(),
                       has_ended ? " (--any_exit_status measures it all the same)" : ""));
    }
    if (execution.record.leaves_processes != 0) {
      return absl::AbortedError(
          "ended before processes that it had started, whose work would not be measured: end the "
          "command with `wait`, or start a server before the comparison");
    }
    return ExecutionTimes{execution.wall_ns(), execution.cpu_ns(), 1};
  };
  RegisterSpec(SpecOfExecutions(line->name, std::move(programs), std::move(compared)));
  DescribePrograms({{{"old", line->commands[0]}, {"new", line->commands[1]}}});
  return RunSpecifiedBenchmarks();
}

}  // namespace duetbench::duet
