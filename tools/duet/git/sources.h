#ifndef TOOLS_DUET_GIT_SOURCES_H_
#define TOOLS_DUET_GIT_SOURCES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The files of commits, without a write to the repository that has them. A commit is checked out in
// a separate repository in the cache, which has no objects: it reads those of the user's
// repository (objects/info/alternates). The user's worktrees, index, references, configuration and
// submodules are not known to it. So neither a checkout, nor what a build does with git, nor the
// end of either at any moment changes them.
//
// The repository of a checkout has the references of the user's (git describe) and includes its
// configuration (filters, line ends), without hooks.
namespace duetbench::duet {

// A repository that is checked out.
struct SourceTree {
  std::string path;     // in the checkout; empty: the topmost
  std::string commit;   // of it
  std::string git_dir;  // whose references and configuration it gets
};

// A submodule whose commit the user's repository does not have.
struct MissingSubmodule {
  std::string path;
  std::string commit;
  bool is_used = false;  // the user's working tree has files of it
};

struct SourcePlan {
  std::vector<SourceTree> trees;  // the topmost first, each before the submodules in it
  std::vector<MissingSubmodule> missing;
};

class Sources {
 public:
  // `working_tree` is the topmost folder of the user's working tree, `git_dir` what `git rev-parse
  // --git-common-dir` says there. Makes a repository of nothing but alternates in `folder`, in
  // place of what is there, in about 10 ms.
  static absl::StatusOr<Sources> Open(const std::string& working_tree, const std::string& git_dir,
                                      const std::string& folder);

  // Which repositories a checkout of `commit` consists of: itself and its submodules, also those in
  // submodules, as far as their commits were ever fetched. Nothing is fetched.
  absl::StatusOr<SourcePlan> Plan(const std::string& commit) const;

  // Checks out all trees of a plan in `folder`, which must not exist.
  absl::Status CheckOut(const SourcePlan& plan, const std::string& folder) const;

 private:
  Sources(std::string working_tree, std::string git_dir, std::string view)
      : working_tree_(std::move(working_tree)),
        git_dir_(std::move(git_dir)),
        view_(std::move(view)) {}

  absl::StatusOr<std::string> View(const std::string& arguments) const;
  absl::Status AddSubmodules(SourceTree tree, const std::vector<std::string>& git_dirs,
                             SourcePlan* plan) const;
  absl::Status AddObjects(const std::string& git_dir) const;
  absl::Status CheckOutTree(const SourceTree& tree, const std::string& folder) const;

  std::string working_tree_;
  std::string git_dir_;
  std::string view_;           // a bare repository that has the objects of all others as alternates
  std::string object_format_;  // sha1 or sha256
};

// The folders of --link: parts of the working tree that are built with each commit.

// The submodules that are neither there nor linked. An error if the working tree has one of them.
absl::StatusOr<std::vector<std::string>> CheckMissing(const std::vector<std::string>& links,
                                                      const SourcePlan& plan);

// Makes the folders in the checkout `tree`, as links to those of the working tree `top`.
absl::Status LinkFolders(const std::vector<std::string>& links, const std::string& top,
                         const std::string& tree);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_SOURCES_H_
