#ifndef TOOLS_DUET_GIT_REPOSITORY_H_
#define TOOLS_DUET_GIT_REPOSITORY_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/duet/git/git.h"
#include "tools/duet/git/sources.h"

namespace duetbench::duet {

// Prepares this process: git and builds that it starts do not see the variables with which git
// tells hooks and aliases about the repository, and its index, that they run for (`git rev-parse
// --local-env-vars`), and git does not refresh an index when it only reads.
absl::Status DetachFromCallingGit();

// A program that was built, with the files of its revision.
struct BuiltProgram {
  std::string path;
  std::string
      folder;  // in the sources of the program: what the current folder is in the repository
};

// A git repository whose revisions are built in a cache folder. Nothing in it is changed.
//
// The cache has a folder for each repository, with a folder for each build: `source`, `build`, and
// the file `state`, which says of what it is the build. What a killed process leaves there has
// none, and the next one removes it.
class Repository {
 public:
  // The repository of the current folder. Locks its cache: a second process waits.
  // PermissionDenied: the cache can be changed by others (cache.h).
  static absl::StatusOr<Repository> Open(const GitCommandLine& line);

  // The full name of a commit. NotFound: there is no such revision.
  absl::StatusOr<std::string> Resolve(const std::string& revision) const;
  // "1a2b3c4 its subject".
  std::string Describe(const std::string& commit) const;
  // The number of files of the working tree that differ from its commit.
  size_t ChangedFiles() const;

  // Builds a commit in a checkout of it, or the working tree, whose HEAD `commit` is, where an
  // earlier state of it was built. Builds it no second time while all that decides the build is the
  // same: the commits and files of it and of its submodules, the commands, and what cache.h
  // describes.
  absl::StatusOr<BuiltProgram> Build(const std::string& commit, bool is_working_tree);

 private:
  Repository(GitCommandLine line, UserRepository user, std::string prefix, std::string cache)
      : line_(std::move(line)),
        user_(std::move(user)),
        prefix_(std::move(prefix)),
        cache_(std::move(cache)) {}

  absl::StatusOr<std::string> Git(const std::string& arguments) const;
  // Checks out the plan and builds it; `goes_on`: in the checkout and build of another state.
  absl::Status BuildIn(const std::string& folder, const SourcePlan& plan, const std::string& what,
                       bool goes_on) const;
  absl::Status RunBuildCommands(const std::string& folder, const std::string& what) const;
  // A remedy for a failed build; empty if none is known.
  std::string RemedyFor(const std::string& error) const;
  void RemoveOldBuilds() const;

  GitCommandLine line_;
  UserRepository user_;
  std::string prefix_;  // "/FOLDER", the current one in the working tree; empty: its topmost
  std::string cache_;   // of this repository
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_REPOSITORY_H_
