#include "tools/duet/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/api/main.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/process.h"
#include "duetbench/record/plan.h"

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
    "duet BASE B C... [FLAG...] [-- ARGUMENT...]                 (up to 8 builds)\n"
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
    "Of more than two builds each is compared with the first one, and the fastest is named.\n"
    "\n"
    "  --old_folder=FOLDER, --new_folder=FOLDER   where the program runs (default: here)\n"
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
  ProgramCommand given[2];
  bool is_given[2] = {false, false};
  std::string folders[2];
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
      given[0] = {std::string(value), true, {}};
      is_given[0] = true;
    } else if (absl::ConsumePrefix(&value, "--new=")) {
      given[1] = {std::string(value), true, {}};
      is_given[1] = true;
    } else if (absl::ConsumePrefix(&value, "--old_folder=")) {
      folders[0] = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--new_folder=")) {
      folders[1] = std::string(value);
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
    if (!is_given[side] && next == paths.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no ", side == 0 ? "OLD" : "NEW",
                       " program: duet OLD NEW [FLAG...] [-- ARGUMENT...]"));
    }
    line.programs.push_back(is_given[side] ? given[side]
                                           : ProgramCommand{paths[next++], false, {}});
  }
  if (next < paths.size() && (is_given[0] || is_given[1])) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", paths[next],
        "' is too much: with --old and --new two programs are compared; their arguments follow "
        "`--`"));
  }
  for (; next < paths.size(); ++next) line.programs.push_back({paths[next], false, {}});
  if (line.programs.size() > static_cast<size_t>(kMaxVariants)) {
    return absl::InvalidArgumentError(absl::StrCat(line.programs.size(),
                                                   " programs are too many: up to ", kMaxVariants,
                                                   " are compared; their arguments follow `--`"));
  }
  for (ProgramCommand& program : line.programs) {
    if (program.text.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          &program == line.programs.data() ? "the OLD program (--old)" : "the NEW program (--new)",
          " is empty: it should be a file or a command"));
    }
    program.arguments = shared;
  }
  for (const size_t side : {0, 1}) {
    ProgramCommand& program = line.programs[side];
    program.folder = folders[side];
    if (!program.folder.empty() && !program.is_shell) {
      program.text = std::filesystem::absolute(program.text).lexically_normal().string();
    }
  }
  return line;
}

std::vector<std::string> NamesOf(const std::vector<ProgramCommand>& programs) {
  if (programs.size() == 2) return {"old", "new"};
  std::vector<std::vector<std::string>> paths;  // from their ends
  size_t depth = SIZE_MAX;
  for (const ProgramCommand& program : programs) {
    std::vector<std::string> parts = absl::StrSplit(program.text, '/', absl::SkipEmpty());
    std::reverse(parts.begin(), parts.end());
    depth = std::min(depth, parts.size());
    paths.push_back(std::move(parts));
  }
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (size_t place = 0; place < depth && distinct.size() < programs.size(); ++place) {
    names.clear();
    for (const std::vector<std::string>& path : paths) names.push_back(path[place]);
    distinct = {names.begin(), names.end()};
  }
  if (distinct.size() == programs.size()) return names;
  names.clear();
  for (size_t i = 0; i < programs.size(); ++i) {
    names.push_back(
        absl::StrCat(std::filesystem::path(programs[i].text).filename().string(), "#", i + 1));
  }
  return names;
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

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "duet: %s\n", std::string(status.message()).c_str());
  return absl::IsCancelled(status) ? ExitStatusOfSignal(*InterruptSignal()) : kExitError;
}

bool TakeFlags(const std::string& program, const std::vector<std::string>& flags, bool help) {
  // The library keeps pointers to the words of each call.
  static auto* const calls = new std::deque<std::vector<std::string>>;
  std::vector<std::string>& words = calls->emplace_back(flags);
  words.insert(words.begin(), program);
  if (help) words.emplace_back("--help");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  Initialize(&argc, argv.data());
  return !ReportUnrecognizedArguments(argc, argv.data());
}

void AddMark(const std::string& file, std::map<std::string, std::string>* marks) {
  const std::string mark = MarkOfFile(file);
  if (!mark.empty()) marks->emplace(file, mark);
}

}  // namespace duetbench::duet
