#include "tools/duet/command_line.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench::duet {
namespace {

absl::Status ReadVariant(absl::string_view value, ComparedVariant* variant) {
  if (value == "old") {
    *variant = ComparedVariant::kOld;
  } else if (value == "new") {
    *variant = ComparedVariant::kNew;
  } else if (value == "both") {
    *variant = ComparedVariant::kBoth;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("--duet_variant=", value, ": should be old, new or both"));
  }
  return absl::OkStatus();
}

}  // namespace

const char kUsage[] =
    "duet OLD NEW [FLAG...] [-- ARGUMENT...]\n"
    "duet --old='COMMAND' --new='COMMAND' [FLAG...] [-- ARGUMENT...]\n"
    "duet run --old='COMMAND' --new='COMMAND' [...]              (duet run --help)\n"
    "duet git BASE [NEW] --build='COMMAND' --binary=PATH [...]   (duet git --help)\n"
    "\n"
    "Compares two builds: runs every benchmark that both programs have as a duet, old and new at\n"
    "the same time in a process each. Both programs are linked with duetbench::main (or have\n"
    "DUET_MAIN) and get the arguments after `--`; those with Google Benchmark alone are executed "
    "for\n"
    "each sample, less precisely. A COMMAND is for the shell, which appends the arguments:\n"
    "  duet --old=./bench --new='env LD_PRELOAD=libjemalloc.so ./bench'\n"
    "\n"
    "  --duet_variant=old|new|both   of a DUET_BENCHMARK, which variant of both programs is "
    "compared\n"
    "                                (default: new)\n"
    "\n"
    "All other flags, the reports, the gates and the exit status are those of a program with "
    "duets:\n"
    "0, 1 if a gate failed, 2 for errors. Benchmarks that only one program has are listed.\n";

absl::StatusOr<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments) {
  CommandLine line;
  std::vector<std::string> paths;
  std::vector<std::string> shared;
  bool is_given[2] = {false, false};
  bool is_rest = false;
  for (const std::string& argument : arguments) {
    absl::string_view value = argument;
    if (is_rest) {
      shared.push_back(argument);
    } else if (argument == "--") {
      is_rest = true;
    } else if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (absl::ConsumePrefix(&value, "--old=")) {
      line.programs[0] = {std::string(value), true, {}};
      is_given[0] = true;
    } else if (absl::ConsumePrefix(&value, "--new=")) {
      line.programs[1] = {std::string(value), true, {}};
      is_given[1] = true;
    } else if (absl::ConsumePrefix(&value, "--duet_variant=")) {
      const absl::Status status = ReadVariant(value, &line.variant);
      if (!status.ok()) return status;
    } else if (absl::StartsWith(argument, "-")) {
      line.flags.push_back(argument);
    } else {
      paths.push_back(argument);
    }
  }
  if (line.help) return line;
  size_t next = 0;
  for (int side = 0; side < 2; ++side) {
    if (is_given[side]) continue;
    if (next == paths.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no ", side == 0 ? "OLD" : "NEW",
                       " program: duet OLD NEW [FLAG...] [-- ARGUMENT...]"));
    }
    line.programs[side] = {paths[next++], false, {}};
  }
  if (next < paths.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", paths[next], "' is too much: duet OLD NEW; arguments of the programs follow `--`"));
  }
  for (int side = 0; side < 2; ++side) {
    ProgramCommand& program = line.programs[side];
    if (program.text.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(side == 0 ? "the OLD program (--old)" : "the NEW program (--new)",
                       " is empty: it should be a file or a command"));
    }
    program.arguments = shared;
  }
  return line;
}

std::vector<std::string> WordsOf(const ProgramCommand& program, std::string* executable) {
  std::vector<std::string> words;
  if (program.is_shell) {
    // exec: no shell remains that would wait for the program.
    const absl::string_view first =
        absl::string_view(program.text).substr(0, program.text.find(' '));
    const char* const env = absl::StrContains(first, '=') ? "env " : "";
    *executable = "/bin/sh";
    words = {"sh", "-c", absl::StrCat("exec ", env, program.text, " \"$@\""), "duet"};
  } else {
    *executable = program.text;
    words = {program.text};
  }
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  return words;
}

std::vector<std::string> FilesOf(const ProgramCommand& program) {
  if (!program.is_shell) return {program.text};
  std::vector<std::string> files;
  for (const absl::string_view word :
       absl::StrSplit(program.text, absl::ByAnyChar(" \t\n'\";|&(){}="), absl::SkipEmpty())) {
    std::error_code error;
    if (std::filesystem::is_regular_file(std::string(word), error) &&
        access(std::string(word).c_str(), X_OK) == 0) {
      files.emplace_back(word);
    }
  }
  return files;
}

}  // namespace duetbench::duet
