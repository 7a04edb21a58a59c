#ifndef DUETBENCH_TESTS_INTEGRATION_GIT_WORLD_H_
#define DUETBENCH_TESTS_INTEGRATION_GIT_WORLD_H_

#include <map>
#include <string>
#include <vector>

#include "tests/integration/program.h"

namespace duetbench::integration {

// A repository that is in use, in a folder with what belongs to it:
// - `repo`: commits `first`, `second` and `slower`, of which a build copies the program that the
//   file `which` names; the tag v1; changes in the index and in the working tree; a stash; an
//   untracked folder; hooks that log each call; the submodule `third_party/lib`, which has the
//   submodule `deep`, and the deinitialised submodule `third_party/idle`;
// - `other`: a second worktree, with a staged file and a detached HEAD;
// - `unmounted`: where a third one was, of which the repository has the same;
// - `lib.git`, `deep.git`, `idle.git`: where the submodules came from;
// - `home`: with a configuration of git, whose hooks log their calls as well.
class GitWorld {
 public:
  GitWorld();

  std::string repository() const { return Path("repo"); }
  std::string Path(const std::string& name) const { return folder_.File(name); }
  const std::string& cache() const { return cache_.path(); }

  // A shell command in a folder of the world; a failure of the test if it fails. Returns its stdout
  // without the last line feed.
  std::string Run(const std::string& command, const std::string& folder = "repo") const;

  // `duet git` in the repository, with a build that needs the submodules.
  Request Duet(std::vector<std::string> arguments) const;

  // All files outside of `home`: type, mode, time of the last change, content. Keys are paths.
  std::map<std::string, std::string> Snapshot() const;

  // Files of this name in the cache, in all folders.
  std::vector<std::string> InCache(const std::string& name) const;

  // Waits until no process is in a folder of the world or the cache; false after 20 s.
  bool AwaitEndOfProcesses() const;

 private:
  void MakeSubmodules() const;
  void MakeCommit(const std::string& subject, const std::string& program) const;

  const Folder folder_;
  const Folder cache_;
};

// The differences of two snapshots, a line each; empty if there is none.
std::string Differences(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& after);

}  // namespace duetbench::integration

#endif  // DUETBENCH_TESTS_INTEGRATION_GIT_WORLD_H_
