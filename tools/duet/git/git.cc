#include "tools/duet/git/git.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/report/repeat_command.h"
#include "tools/duet/command_line.h"
#include "tools/duet/compare.h"
#include "tools/duet/git/repository.h"

namespace duetbench::duet {
namespace {

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
    R"(duet git BASE [NEW] --binary=PATH [--build='COMMAND'] [--configure='COMMAND'] [-- FLAG...]

Builds two revisions and compares them with `duet OLD NEW`. NEW is the working tree as it is,
unless it is given. Nothing in the repository is changed: a revision is checked out in a cache
folder, in a repository that borrows the objects of this one, with its submodules as far as they
were fetched; of the working tree, the files that git does not ignore are copied there. Each
program runs in its own checkout, and so reads the files of its revision. Builds are kept: a commit
is built again if the commands, the environment, programs in PATH, the installed packages or the
processor differ. Variables of the session and of the CI job (TERM, DISPLAY, SSH_*, GITHUB_*,
CI_*, ...) are hidden from builds.

  --binary=PATH        the program, in the build folder
  --configure=COMMAND  default: cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release
  --build=COMMAND      default: cmake --build {build} --parallel
  --cache=FOLDER       default: $XDG_CACHE_HOME/duetbench or ~/.cache/duetbench; nobody else may
                       write to it
  --link=FOLDER        a folder of the working tree that is not part of the commits, such as
                       third-party sources or data: each checkout gets a symbolic link to it. May
                       be repeated
  --rebuild            builds also what is in the cache
  --data=shared        both programs run in the current folder, on one set of files

Flags of duet and of Google Benchmark (--duet_*, --benchmark_*) may stand anywhere; all others
follow `--`.
)";

absl::StatusOr<GitCommandLine> ParseGitCommandLine(const std::vector<std::string>& arguments) {
  GitCommandLine line;
  const std::pair<absl::string_view, std::string*> texts[] = {{"--configure=", &line.configure},
                                                              {"--build=", &line.build},
                                                              {"--binary=", &line.binary},
                                                              {"--cache=", &line.cache}};
  std::vector<std::string> revisions;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    absl::string_view value = argument;
    const auto text = std::find_if(std::begin(texts), std::end(texts), [&](const auto& one) {
      return absl::ConsumePrefix(&value, one.first);
    });
    absl::Status status;
    if (text != std::end(texts)) {
      *text->second = std::string(value);
    } else if (argument == "--") {
      line.compare.insert(line.compare.end(),
                          arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    } else if (argument == "--help" || argument == "-h") {
      line.help = true;
    } else if (absl::ConsumePrefix(&value, "--bisect=")) {
      status = absl::InvalidArgumentError(
          "--bisect is gone: `git bisect run` with `duet git GOOD` (tools/README.md, Two "
          "revisions)");
    } else if (absl::ConsumePrefix(&value, "--link=")) {
      status = ReadLink(value, &line);
    } else if (argument == "--data=shared") {
      line.is_data_shared = true;
    } else if (argument == "--rebuild") {
      line.rebuild = true;
    } else if (absl::StartsWith(argument, "--duet_") ||
               absl::StartsWith(argument, "--benchmark_")) {
      line.compare.push_back(argument);
    } else if (absl::StartsWith(argument, "-")) {
      status = absl::InvalidArgumentError(absl::StrCat(
          "unknown flag ", argument,
          absl::StartsWith(argument, "--layouts=") ? ": every run has another code layout now"
                                                   : " (duet git --help)"));
    } else {
      revisions.push_back(argument);
    }
    if (!status.ok()) return status;
  }
  if (line.help) return line;
  if (line.binary.empty()) {
    return absl::InvalidArgumentError("--binary=PATH is missing: the program, in the build folder");
  }
  if (revisions.size() > 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", revisions.back(), "' is too much: duet git BASE [NEW]"));
  }
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

namespace {

// Builds both revisions. Returns the arguments that compare them.
absl::StatusOr<std::vector<std::string>> BuildRevisions(const GitCommandLine& line,
                                                        Repository& repository) {
  const absl::StatusOr<std::string> base = repository.Resolve(line.base);
  if (!base.ok()) return base.status();
  const bool has_commit = !line.revision.empty();
  const absl::StatusOr<std::string> commit =
      repository.Resolve(has_commit ? line.revision : "HEAD");
  if (!commit.ok()) return commit.status();
  const size_t changed = repository.ChangedFiles();
  const std::string new_name =
      has_commit ? repository.Describe(*commit)
                 : absl::StrFormat("the working tree (%d changed files)", changed);
  std::fprintf(stderr, "duet: old is %s, new is %s%s\nduet: %s\n",
               repository.Describe(*base).c_str(), new_name.c_str(),
               has_commit && changed > 0 ? "; changes of the working tree are not compared" : "",
               line.is_data_shared
                   ? "both run in this folder, on the same files"
                   : "each runs in its checkout, on the files of its revision (--data=shared: "
                     "both in this folder)");
  const absl::StatusOr<BuiltProgram> old_program = repository.Build(*base, false);
  if (!old_program.ok()) return old_program.status();
  const absl::StatusOr<BuiltProgram> new_program = repository.Build(*commit, !has_commit);
  if (!new_program.ok()) return new_program.status();
  std::vector<std::string> arguments = {old_program->path, new_program->path};
  if (!line.is_data_shared) {
    arguments.push_back(absl::StrCat("--old_folder=", old_program->folder));
    arguments.push_back(absl::StrCat("--new_folder=", new_program->folder));
  }
  arguments.insert(arguments.end(), line.compare.begin(), line.compare.end());
  return arguments;
}

}  // namespace

int GitMain(const std::string& program, const std::vector<std::string>& arguments) {
  const absl::StatusOr<GitCommandLine> line = ParseGitCommandLine(arguments);
  if (!line.ok()) return Fail(line.status());
  if (line->help) {
    std::fputs(kGitUsage, stdout);
    return kExitSuccess;
  }
  absl::StatusOr<std::vector<std::string>> compared;
  {
    // A signal ends the command that runs.
    const InterruptGuard guard;
    const absl::Status detached = DetachFromCallingGit();
    if (!detached.ok()) return Fail(detached);
    absl::StatusOr<Repository> repository = Repository::Open(*line);
    if (!repository.ok()) return Fail(repository.status());
    compared = BuildRevisions(*line, *repository);
    if (!compared.ok()) return Fail(compared.status());
    if (*InterruptSignal() != 0) return Fail(absl::CancelledError("interrupted"));
  }
  return CompareMain(program, *compared);
}

}  // namespace duetbench::duet
