#ifndef TOOLS_DUET_GIT_SOURCES_H_
#define TOOLS_DUET_GIT_SOURCES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The files of a commit or of the working tree, in another folder, without a write to the
// user's repository. The folder has a repository without objects: it reads those of the user's
// (objects/info/alternates), and has copies of its references (git describe). It includes the
// user's configuration (filters, line ends), without hooks. So neither making the folder, nor what
// a build does there with git, nor the end of either at any moment changes the user's worktrees,
// index, references, configuration and submodules.
namespace duetbench::duet {

// A repository of a checkout: the topmost, or a submodule.
struct SourceTree {
  std::string path;     // in the checkout; empty: the topmost
  std::string commit;   // of it
  std::string git_dir;  // whose objects, references and configuration it gets
  std::string files;    // what is checked out: the commit, or a tree object of the working tree
};

struct SourcePlan {
  std::vector<SourceTree> trees;     // the topmost first, each before the submodules in it
  std::vector<std::string> missing;  // submodules whose commits the user's repository does not have
};

// The user's repository.
struct UserRepository {
  std::string top;                 // of the working tree; of a bare repository: `git_dir`
  std::string git_dir;             // what `git rev-parse --git-common-dir` says there
  std::vector<std::string> links;  // --link: folders of the working tree that each commit gets
  std::string objects;             // a folder in the cache, for objects that git_dir does not have
};

// Which repositories a checkout of `commit` consists of: itself and its submodules, also those in
// submodules, as far as their commits were ever fetched. Nothing is fetched. Without those in
// `links`. FailedPrecondition: the working tree has a submodule whose commit is missing.
//
// The plan of the working tree, whose HEAD `commit` is, has its files as they are, tracked, or not
// ignored, and those of the submodules and other repositories in it.
absl::StatusOr<SourcePlan> PlanOf(const UserRepository& user, const std::string& commit,
                                  bool is_working_tree);

// Checks out all repositories of the plan in `folder`, with links to the folders of --link.
// `folder` may have another state of the same repositories: then only files whose content differs
// are written, so that they are newer than what was built from it, whatever their times in the
// working tree are.
absl::Status CheckOut(const UserRepository& user, const SourcePlan& plan,
                      const std::string& folder);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_SOURCES_H_
