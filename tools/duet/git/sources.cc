#include "tools/duet/git/sources.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/report/repeat_command.h"
#include "tools/duet/git/shell.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

const std::string kZero(1, '\0');

// Settings that follow the user's configuration in a checkout. They switch off all that runs in the
// background or by itself.
constexpr char kSettings[] =
    "[core]\n\tbare = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n"
    "\tsparseCheckout = false\n\tsplitIndex = false\n"
    "[submodule]\n\trecurse = false\n"
    "[gc]\n\tauto = 0\n"
    "[maintenance]\n\tauto = false\n"
    "[advice]\n\tdetachedHead = false\n";

std::string Below(const std::string& folder, const std::string& path) {
  return path.empty() ? folder : absl::StrCat(folder, "/", path);
}

std::string PathIn(const std::string& path, const std::string& name) {
  return absl::StrCat(path, path.empty() ? "" : "/", name);
}

bool IsLinked(const UserRepository& user, const std::string& path) {
  return std::any_of(user.links.begin(), user.links.end(), [&](const std::string& link) {
    return path == link || absl::StartsWith(path, absl::StrCat(link, "/"));
  });
}

// The repository that has a commit of the submodule at `path`; empty if there is none. Looks into
// that of the working tree, and into all that git keeps in the user's repository, also after `git
// submodule deinit`. Without the test for .git, git would look into the repository around a
// submodule that is absent.
absl::StatusOr<std::string> FindSubmodule(const UserRepository& user, const std::string& path,
                                          const std::string& commit) {
  const std::string git_dir = ShellQuoted(user.git_dir);
  return OutputOf({absl::StrCat("{ (cd ", ShellQuoted(Below(user.top, path)),
                                " && test -e .git && cd \"$(git rev-parse --git-common-dir)\" && "
                                "pwd -P); find ",
                                git_dir, "/modules ", git_dir,
                                "/worktrees/*/modules -type d -name objects -prune | "
                                "sed 's:/objects$::'; } 2>/dev/null | while IFS= read -r found; do "
                                "if git --git-dir=\"$found\" cat-file -e '",
                                commit,
                                "^{commit}' 2>/dev/null; "
                                "then echo \"$found\"; break; fi; done"),
                   "", "looking for a submodule", "export GIT_NO_LAZY_FETCH=1; "});
}

bool HasFiles(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !fs::is_empty(folder, error);
}

// Prepares a copy of the index, in which every file counts as it is: also one that git was told to
// take for unchanged, or to leave out. $objects gets whatever is written, and the user's repository
// is not even asked which objects it has: that would make them younger. A sparse index is expanded
// before, with the user's objects.
constexpr char kCopyIndex[] = R"(
  git() {
    command git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.splitIndex=false \
      -c core.sparseCheckout=false -c core.fsync=none "$@"
  }
  index=$(git rev-parse --git-path index)
  rm -rf "$objects/index" && { test ! -e "$index" || cp "$index" "$objects/index"; } || exit 1
  export GIT_INDEX_FILE="$objects/index"
  for bit in assume-unchanged skip-worktree; do
    git ls-files -v -z | sed -zn 's/^[a-zS] //p' | git update-index --no-$bit -z --stdin || exit 1
  done
  export GIT_OBJECT_DIRECTORY="$objects"
)";

// Makes a tree object of the files of a working tree that git does not ignore, without those below
// folders of --link; returns its name. Repositories in it are the commits that they are at.
absl::StatusOr<std::string> WriteTree(const UserRepository& user, const std::string& path) {
  std::string add = "git add -A -- .";
  for (absl::string_view link : user.links) {
    if (path.empty() || absl::ConsumePrefix(&link, path + "/")) {
      absl::StrAppend(&add, " ", ShellQuoted(absl::StrCat(":(exclude,literal)", link)));
    }
  }
  return OutputOf({absl::StrCat(add, " && git write-tree --missing-ok"), Below(user.top, path),
                   "reading the working tree",
                   absl::StrCat("export GIT_NO_LAZY_FETCH=1; objects=", ShellQuoted(user.objects),
                                kCopyIndex)});
}

// Adds `tree` and the submodules in it.
absl::Status AddTree(const UserRepository& user, bool is_working_tree, SourceTree tree,
                     SourcePlan* plan) {
  const absl::StatusOr<std::string> files =
      is_working_tree ? WriteTree(user, tree.path) : tree.commit;
  if (!files.ok()) return files.status();
  tree.files = *files;
  plan->trees.push_back(tree);
  const absl::StatusOr<std::string> listed =
      OutputOf({absl::StrCat("git --git-dir=", ShellQuoted(tree.git_dir),
                             " ls-tree -r -z --full-tree ", tree.files),
                "", "reading the commit",
                is_working_tree
                    ? absl::StrCat("export GIT_OBJECT_DIRECTORY=", ShellQuoted(user.objects), "; ")
                    : ""});
  if (!listed.ok()) return listed.status();
  for (const absl::string_view entry : absl::StrSplit(*listed, kZero, absl::SkipEmpty())) {
    // 160000 commit OBJECT<tab>PATH
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(entry, absl::MaxSplits('\t', 1));
    if (!absl::StartsWith(parts.first, "160000 ")) continue;
    const std::string path = PathIn(tree.path, parts.second);
    const std::string folder = Below(user.top, path);
    std::error_code error;
    if (IsLinked(user, path) || (is_working_tree && !fs::exists(folder + "/.git", error))) continue;
    const std::string commit = parts.first.substr(parts.first.rfind(' ') + 1);
    const absl::StatusOr<std::string> found = FindSubmodule(user, path, commit);
    if (!found.ok()) return found.status();
    if (found->empty()) {
      plan->missing.push_back(path);
      if (!HasFiles(folder)) continue;
      // The working tree would be built with it, and the commit without.
      return absl::FailedPreconditionError(
          absl::StrCat("the commit needs ", commit.substr(0, 12), " of the submodule ", path,
                       ", which was not fetched: git -C ", ShellQuoted(path), " fetch origin ",
                       commit, " (or use the folder as it is: --link=", path, ")"));
    }
    const absl::Status status = AddTree(user, is_working_tree, {path, commit, *found, ""}, plan);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Makes a repository in the current folder, in place of the one that is there, that has what
// sources.h says of the repository $from. The index .git/files stays: by it git writes only the
// files that differ from those that are here.
constexpr char kMakeRepository[] = R"(
  { test ! -d .git || find .git -mindepth 1 -maxdepth 1 ! -name files -exec rm -rf {} +; } &&
  format=$(git --git-dir="$from" rev-parse --show-object-format) &&
  git init -q --template= --object-format="$format" . &&
  mkdir -p .git/objects/info .git/info &&
  printf '%s\n' "$from/objects" "$objects" >.git/objects/info/alternates &&
  for file in shallow info/attributes info/exclude; do
    if [ -e "$from/$file" ]; then cp "$from/$file" .git/$file || exit 1; fi
  done &&
  git config --file .git/config include.path "$from/config" &&
  printf '%s' "$settings" >>.git/config &&
  git --git-dir="$from" for-each-ref --format='%(objectname) %(refname)' >.git/packed-refs || exit 1
)";

// Makes the repository of a tree in `folder`, with its files. HEAD and the index are of its commit.
absl::Status CheckOutTree(const UserRepository& user, const SourceTree& tree,
                          const std::string& folder) {
  return RunCommand(
      {absl::StrCat("GIT_INDEX_FILE=.git/files git read-tree --reset -u ", tree.files,
                    " && git update-ref --no-deref HEAD ", tree.commit,
                    " && cp .git/files .git/index && git read-tree -m ", tree.commit),
       folder, absl::StrCat("checking out ", tree.path.empty() ? "the commit" : tree.path),
       absl::StrCat("from=", ShellQuoted(tree.git_dir), "; objects=", ShellQuoted(user.objects),
                    "; settings=", ShellQuoted(kSettings), kMakeRepository)});
}

// The folders of --link: parts of the working tree that are built with each commit.
absl::Status LinkFolders(const UserRepository& user, const std::string& folder) {
  for (const std::string& link : user.links) {
    const fs::path target = fs::path(user.top) / link;
    const fs::path made = fs::path(folder) / link;
    std::error_code error;
    if (!fs::exists(target, error)) {
      return absl::NotFoundError(absl::StrCat("--link=", link, ": there is none in ", user.top));
    }
    fs::create_directories(made.parent_path(), error);
    // A symbolic link of the commit could lead out of the checkout.
    if (fs::canonical(made.parent_path(), error) != made.parent_path()) {
      return absl::FailedPreconditionError(
          absl::StrCat("--link=", link, ": the commit has a symbolic link on the way"));
    }
    // An earlier state of the working tree had it.
    if (fs::is_symlink(made, error) && fs::read_symlink(made, error) == target) continue;
    // The folder of a submodule is empty.
    const bool is_folder = fs::is_directory(fs::symlink_status(made, error));
    if (is_folder) fs::remove(made, error);
    if (fs::exists(fs::symlink_status(made, error))) {
      return absl::FailedPreconditionError(
          absl::StrCat("--link=", link, ": the commit has files there, which are built"));
    }
    fs::create_symlink(target, made, error);
    if (error) return absl::UnavailableError(absl::StrCat("--link=", link, ": ", error.message()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SourcePlan> PlanOf(const UserRepository& user, const std::string& commit,
                                  bool is_working_tree) {
  SourcePlan plan;
  const absl::Status status = AddTree(user, is_working_tree, {"", commit, user.git_dir, ""}, &plan);
  if (!status.ok()) return status;
  return plan;
}

absl::Status CheckOut(const UserRepository& user, const SourcePlan& plan,
                      const std::string& folder) {
  for (const SourceTree& tree : plan.trees) {
    const std::string place = Below(folder, tree.path);
    std::error_code error;
    fs::create_directories(place, error);
    // The checkout around it has made the folder of a submodule, unless a link is in its place.
    if (fs::canonical(place, error) != fs::path(place)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the submodule ", tree.path, " is behind a symbolic link"));
    }
    const absl::Status status = CheckOutTree(user, tree, place);
    if (!status.ok()) return status;
  }
  return LinkFolders(user, folder);
}

}  // namespace duetbench::duet
