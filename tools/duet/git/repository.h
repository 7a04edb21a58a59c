#ifndef TOOLS_DUET_GIT_REPOSITORY_H_
#define TOOLS_DUET_GIT_REPOSITORY_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/duet/git/git_command_line.h"
#include "tools/duet/git/sources.h"

namespace duetbench::duet {

// Prepares this process: git and builds that it starts do not see the variables with which git
// tells hooks and aliases about the repository, and its index, that they run for (`git rev-parse
// --local-env-vars`), and git does not refresh an index when it only reads.
absl::Status DetachFromCallingGit();

// A git repository whose revisions are built in a cache folder. Nothing in it is changed, unless
// the build of its working tree does.
//
// The cache has, for each repository: `builds`, the build folders; `tree`, the commit that is being
// built; `objects.git` (sources.h); `lock`. What a killed process leaves there, the next one
// removes.
class Repository {
 public:
  // The repository of the current folder. Locks its cache: a second process waits.
  // PermissionDenied: the cache can be changed by others (cache_folder.h).
  static absl::StatusOr<Repository> Open(const GitCommandLine& line);

  // The full name of a commit. NotFound: there is no such revision.
  absl::StatusOr<std::string> Resolve(const std::string& revision) const;
  // "1a2b3c4 its subject".
  std::string Describe(const std::string& commit) const;
  // The commits after `good` up to `bad`, oldest first, along first parents. InvalidArgument:
  // `good` is no ancestor of `bad`.
  absl::StatusOr<std::vector<std::string>> CommitsBetween(const std::string& good,
                                                          const std::string& bad) const;
  // The number of files of the working tree that differ from its commit.
  size_t ChangedFiles() const;

  // Builds a commit and returns the path of the program. Builds it no second time while all that
  // decides the build is the same: the commits of it and of its submodules, the commands, the
  // linked folders, and what build_variables.h and build_machine.h describe.
  absl::StatusOr<std::string> BuildCommit(const std::string& commit);
  // Builds the working tree where it is, in a build folder in the cache.
  absl::StatusOr<std::string> BuildWorkingTree();

 private:
  Repository(GitCommandLine line, std::string top, std::string root, std::string cache,
             Sources sources)
      : line_(std::move(line)),
        top_(std::move(top)),
        root_(std::move(root)),
        cache_(std::move(cache)),
        sources_(std::move(sources)) {}

  absl::StatusOr<std::string> Git(const std::string& arguments) const;
  // Configures and builds; returns the path of the program.
  absl::StatusOr<std::string> Build(const std::string& source, const std::string& folder,
                                    const std::string& what) const;
  absl::StatusOr<std::string> BuildInTree(const SourcePlan& plan, const std::string& folder) const;
  // A remedy for a failed build of a commit; empty if none is known.
  std::string RemedyFor(const std::string& error, const std::vector<std::string>& missing) const;
  // A program, with its link layouts, that nobody else can have changed.
  absl::Status CheckProgram(const std::string& program) const;
  void RemoveOldBuilds() const;

  GitCommandLine line_;
  std::string top_;    // of the working tree
  std::string root_;   // the cache of all repositories
  std::string cache_;  // of this one
  Sources sources_;
  std::string surroundings_;      // what decides a build beside the commit
  std::set<std::string> in_use_;  // build folders of this process
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_REPOSITORY_H_
