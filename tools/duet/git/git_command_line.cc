#include "tools/duet/git/git_command_line.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/suite_report/repeat_command.h"

namespace duetbench::duet {
namespace {

absl::Status ReadRange(absl::string_view range, GitCommandLine* line) {
  const size_t dots = range.find("..");
  if (dots == 0 || dots == absl::string_view::npos || dots + 2 >= range.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--bisect=", range, ": should be GOOD..BAD, such as v1.2..HEAD"));
  }
  line->bisects = true;
  line->base = std::string(range.substr(0, dots));
  line->revision = std::string(range.substr(dots + 2));
  return absl::OkStatus();
}

absl::Status ReadLink(absl::string_view path, GitCommandLine* line) {
  absl::string_view folder = path;
  while (absl::ConsumeSuffix(&folder, "/")) {
  }
  for (const absl::string_view part : absl::StrSplit(folder, '/')) {
    if (!part.empty() && part != "." && part != ".." && part != ".git") continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--link=", path,
                     ": should be a path below the topmost folder of the working tree, such as "
                     "third_party/fmt"));
  }
  line->links.emplace_back(folder);
  return absl::OkStatus();
}

}  // namespace

const char kGitUsage[] =
    "duet git BASE [NEW] --binary=PATH [--build='COMMAND'] [--configure='COMMAND'] [-- FLAG...]\n"
    "duet git --bisect=GOOD..BAD --binary=PATH [...] --benchmark_filter='^NAME$'\n"
    "\n"
    "Builds two revisions and compares them with `duet OLD NEW`. NEW is the working tree as it "
    "is,\n"
    "unless it is given. Nothing in the repository is changed: a revision is checked out in a "
    "cache\n"
    "folder, in a repository that borrows the objects of this one, with its submodules as far as\n"
    "they were fetched. Build folders are kept there: what has been built once is not built "
    "again,\n"
    "until the commit, the commands, the environment, the tools in PATH, the installed packages "
    "or\n"
    "the processor differ. Variables of the session and of the CI job (TERM, DISPLAY, SSH_*,\n"
    "GITHUB_*, CI_*, ...) are hidden from builds.\n"
    "\n"
    "  --binary=PATH        the program, in the build folder\n"
    "  --configure=COMMAND  default: cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release\n"
    "  --build=COMMAND      default: cmake --build {build} --parallel\n"
    "  --cache=FOLDER       default: $XDG_CACHE_HOME/duetbench or ~/.cache/duetbench; nobody\n"
    "                       else may write to it\n"
    "  --link=FOLDER        a folder of the working tree that is not part of the commits, such as\n"
    "                       third-party sources: each commit gets a symbolic link to it. May be\n"
    "                       repeated\n"
    "  --rebuild            builds also what is in the cache\n"
    "  --layouts=N          links the program of each build N times, each time with its functions\n"
    "                       elsewhere: the build's CMake has duet_target_layouts(PROGRAM N)\n"
    "  --bisect=GOOD..BAD   finds the commit with which the benchmark became slower: every probe "
    "is a\n"
    "                       duet against GOOD\n"
    "\n"
    "Flags of duet and of Google Benchmark (--duet_*, --benchmark_*) may stand anywhere; all "
    "others\n"
    "follow `--`.\n";

absl::StatusOr<GitCommandLine> ParseGitCommandLine(const std::vector<std::string>& arguments) {
  GitCommandLine line;
  std::vector<std::string> revisions;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    absl::string_view value = argument;
    if (argument == "--") {
      line.compare.insert(line.compare.end(),
                          arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (absl::ConsumePrefix(&value, "--bisect=")) {
      const absl::Status status = ReadRange(value, &line);
      if (!status.ok()) return status;
    } else if (absl::ConsumePrefix(&value, "--configure=")) {
      line.configure = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--build=")) {
      line.build = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--binary=")) {
      line.binary = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--cache=")) {
      line.cache = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--link=")) {
      const absl::Status status = ReadLink(value, &line);
      if (!status.ok()) return status;
    } else if (argument == "--rebuild") {
      line.rebuild = true;
    } else if (absl::ConsumePrefix(&value, "--layouts=")) {
      if (!absl::SimpleAtoi(value, &line.layouts) || line.layouts < 3 || line.layouts > 64) {
        return absl::InvalidArgumentError(
            absl::StrCat(argument, ": should be a number from 3 to 64"));
      }
    } else if (absl::StartsWith(argument, "--duet_") ||
               absl::StartsWith(argument, "--benchmark_")) {
      line.compare.push_back(argument);
    } else if (absl::StartsWith(argument, "-")) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown flag ", argument, " (duet git --help)"));
    } else {
      revisions.push_back(argument);
    }
  }
  if (line.help) return line;
  if (line.binary.empty()) {
    return absl::InvalidArgumentError("--binary=PATH is missing: the program, in the build folder");
  }
  if (revisions.size() > (line.bisects ? 0u : 2u)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", revisions.back(), "' is too much: duet git BASE [NEW]"));
  }
  if (line.bisects) return line;
  if (revisions.empty()) {
    return absl::InvalidArgumentError("there is no BASE revision: duet git BASE [NEW]");
  }
  line.base = revisions[0];
  if (revisions.size() == 2) line.revision = revisions[1];
  return line;
}

std::string FillIn(absl::string_view command, absl::string_view source, absl::string_view build) {
  return absl::StrReplaceAll(command,
                             {{"{source}", ShellQuoted(source)}, {"{build}", ShellQuoted(build)}});
}

}  // namespace duetbench::duet
