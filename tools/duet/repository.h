#ifndef TOOLS_DUET_REPOSITORY_H_
#define TOOLS_DUET_REPOSITORY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/duet/git_command_line.h"

namespace duetbench::duet {

// Runs `command` in a shell, in `folder` (empty: this one), and returns what it printed. `what`
// begins the error: "the build of v1.2". Ctrl-C ends it, with the error Cancelled.
absl::StatusOr<std::string> RunCommand(const std::string& command, const std::string& folder,
                                       const std::string& what);

// A git repository whose revisions are built in a cache folder.
class Repository {
 public:
  // The repository of the current folder. Locks its cache: a second process waits.
  static absl::StatusOr<Repository> Open(const GitCommandLine& line);

  // The full name of a commit. NotFound: there is no such revision.
  absl::StatusOr<std::string> Resolve(const std::string& revision) const;
  // "1a2b3c4 its subject".
  std::string Describe(const std::string& commit) const;
  // The commits after `good` up to `bad`, oldest first, along first parents. InvalidArgument:
  // `good` is no ancestor of `bad`.
  absl::StatusOr<std::vector<std::string>> CommitsBetween(const std::string& good,
                                                          const std::string& bad) const;
  // How many files of the working tree differ from its commit.
  size_t ChangedFiles() const;

  // Builds a commit, unless that has been done, and returns the path of the program.
  absl::StatusOr<std::string> BuildCommit(const std::string& commit) const;
  // Builds the working tree where it is, in a build folder of its own.
  absl::StatusOr<std::string> BuildWorkingTree() const;

 private:
  explicit Repository(GitCommandLine line) : line_(std::move(line)) {}

  absl::StatusOr<std::string> Git(const std::string& arguments) const;
  // Configures and builds; returns the path of the program.
  absl::StatusOr<std::string> Build(const std::string& source, const std::string& folder,
                                    const std::string& what) const;
  void RemoveOldBuilds() const;
  // Tells builds with other commands apart.
  std::string BuildKey() const;

  GitCommandLine line_;
  std::string top_;    // of the working tree
  std::string cache_;  // of this repository
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_REPOSITORY_H_
