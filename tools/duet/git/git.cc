#include "tools/duet/git/git.h"

#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/exit_status.h"
#include "tools/duet/compare.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet/git/repository.h"
#include "tools/duet/tool_flags.h"

namespace duetbench::duet {
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
