#ifndef TOOLS_DUET_GIT_SUBMODULE_FOLDERS_H_
#define TOOLS_DUET_GIT_SUBMODULE_FOLDERS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// Where a repository keeps the repositories of its submodules. Reads folders and files of git by
// itself: commands of git would look into the repository around a submodule that is absent.
namespace duetbench::duet {

// A submodule that a commit has.
struct Submodule {
  std::string path;    // in the tree of the commit
  std::string commit;  // which commit of it
  std::string name;    // of .gitmodules; empty: none
};

// From the outputs of `git ls-tree -r -z` and `git config -z --get-regexp '^submodule\..*\.path$'`.
std::vector<Submodule> ParseSubmodules(absl::string_view tree, absl::string_view paths);

// The repository that the file or folder `working_tree`/.git stands for; empty if there is none.
std::string RepositoryOf(const std::string& working_tree);

// The repositories that may have the submodule: of the working tree `working_tree`, and among the
// modules of the repositories `parents` and of their worktrees, also after `git submodule deinit`.
// Names with "..", which git refuses, have none there.
std::vector<std::string> FindSubmodule(const Submodule& submodule,
                                       const std::vector<std::string>& parents,
                                       const std::string& working_tree);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_SUBMODULE_FOLDERS_H_
