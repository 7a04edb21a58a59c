#include "tools/duet/git/sources.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"
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

// Commands that print the repository of a working tree; nothing if there is none. Without the test,
// git would look into the repository around a submodule that is absent.
std::string PrintRepository(const std::string& working_tree) {
  return absl::StrCat("(cd ", ShellQuoted(working_tree),
                      " && test -e .git && cd \"$(git rev-parse --git-common-dir)\" && pwd -P)");
}

// The repository that has a commit of the submodule at `path`; empty if there is none. Looks into
// that of the working tree, and into all that git keeps in the user's repository, also after `git
// submodule deinit`.
absl::StatusOr<std::string> FindSubmodule(const UserRepository& user, const std::string& path,
                                          const std::string& commit) {
  const std::string git_dir = ShellQuoted(user.git_dir);
  return OutputOf({absl::StrCat("{ ", PrintRepository(Below(user.top, path)), "; find ", git_dir,
                                "/modules ", git_dir,
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

// `tree` by value: `plan` may move its own.
absl::Status AddSubmodules(const UserRepository& user, SourceTree tree, SourcePlan* plan) {
  const absl::StatusOr<std::string> listed =
      OutputOf({absl::StrCat("git --git-dir=", ShellQuoted(tree.git_dir),
                             " ls-tree -r -z --full-tree ", tree.commit),
                "", "reading the commit", ""});
  if (!listed.ok()) return listed.status();
  for (const absl::string_view entry : absl::StrSplit(*listed, kZero, absl::SkipEmpty())) {
    // 160000 commit OBJECT<tab>PATH
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(entry, absl::MaxSplits('\t', 1));
    if (!absl::StartsWith(parts.first, "160000 ")) continue;
    const std::string path = PathIn(tree.path, parts.second);
    if (IsLinked(user, path)) continue;
    const std::string commit = parts.first.substr(parts.first.rfind(' ') + 1);
    const absl::StatusOr<std::string> found = FindSubmodule(user, path, commit);
    if (!found.ok()) return found.status();
    if (found->empty()) {
      plan->missing.push_back(path);
      if (!HasFiles(Below(user.top, path))) continue;
      // The working tree would be built with it, and the commit without.
      return absl::FailedPreconditionError(
          absl::StrCat("the commit needs ", commit.substr(0, 12), " of the submodule ", path,
                       ", which was not fetched: git -C ", ShellQuoted(path), " fetch origin ",
                       commit, " (or use the folder as it is: --link=", path, ")"));
    }
    plan->trees.push_back({path, commit, *found});
    const absl::Status status = AddSubmodules(user, plan->trees.back(), plan);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// The files of a working tree; other repositories in it are one entry each.
absl::StatusOr<std::set<std::string>> ListFiles(const std::string& working_tree) {
  const absl::StatusOr<std::string> listed =
      OutputOf({"git -c core.fsmonitor=false ls-files -z --cached --others --exclude-standard",
                working_tree, "listing the files of the working tree", ""});
  if (!listed.ok()) return listed.status();
  std::set<std::string> files;
  for (const absl::string_view file : absl::StrSplit(*listed, kZero, absl::SkipEmpty())) {
    files.emplace(absl::StripSuffix(file, "/"));
  }
  return files;
}

// Makes a repository in the current folder, in place of the one that is there, that has what
// sources.h says of the repository $from.
constexpr char kMakeRepository[] = R"(
  rm -rf .git
  format=$(git --git-dir="$from" rev-parse --show-object-format) &&
  git init -q --template= --object-format="$format" . &&
  mkdir -p .git/objects/info .git/info &&
  printf '%s\n' "$from/objects" >.git/objects/info/alternates &&
  for file in shallow info/attributes info/exclude; do
    if [ -e "$from/$file" ]; then cp "$from/$file" .git/$file || exit 1; fi
  done &&
  git config --file .git/config include.path "$from/config" &&
  printf '%s' "$settings" >>.git/config &&
  git --git-dir="$from" for-each-ref --format='%(objectname) %(refname)' >.git/packed-refs || exit 1
)";

// Makes the repository of a tree in `folder`. Checks out the commit; of the working tree, only HEAD
// and the index become what the commit has.
absl::Status MakeRepository(const SourceTree& tree, bool has_files, const std::string& folder) {
  const std::string& commit = tree.commit;
  return RunCommand(
      {has_files
           ? absl::StrCat("git checkout -q --force --detach ", commit)
           : absl::StrCat("git update-ref --no-deref HEAD ", commit, " && git read-tree ", commit),
       folder, absl::StrCat("checking out ", tree.path.empty() ? "the commit" : tree.path),
       absl::StrCat("from=", ShellQuoted(tree.git_dir), "; settings=", ShellQuoted(kSettings),
                    kMakeRepository)});
}

bool IsSame(const fs::path& one, const fs::path& other) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(one, error);
  const fs::file_status other_status = fs::symlink_status(other, error);
  if (status.type() != other_status.type()) return false;
  if (fs::is_symlink(status)) return fs::read_symlink(one, error) == fs::read_symlink(other, error);
  return status.permissions() == other_status.permissions() &&
         fs::file_size(one, error) == fs::file_size(other, error) &&
         ReadTextFile(one.string()) == ReadTextFile(other.string());
}

// Copies the repository at `path` in the working tree, and those in it.
absl::Status CopyRepository(const UserRepository& user, const std::string& path,
                            const std::string& folder) {
  const std::string from = Below(user.top, path);
  const std::string to = Below(folder, path);
  const absl::StatusOr<std::set<std::string>> listed = ListFiles(from);
  if (!listed.ok()) return listed.status();
  std::error_code error;
  fs::create_directories(to, error);
  std::set<std::string> stale;
  if (fs::exists(to + "/.git", error)) {
    const absl::StatusOr<std::set<std::string>> earlier = ListFiles(to);
    if (!earlier.ok()) return earlier.status();
    stale = *earlier;
  }
  std::vector<std::string> files;
  std::vector<std::string> inside;  // other repositories
  for (const std::string& name : *listed) {
    const fs::file_status status = fs::symlink_status(Below(from, name), error);
    if (!fs::exists(status) || IsLinked(user, PathIn(path, name))) continue;
    if (fs::is_directory(status) && !fs::exists(absl::StrCat(from, "/", name, "/.git"))) continue;
    (fs::is_directory(status) ? inside : files).push_back(name);
    stale.erase(name);
  }
  for (const std::string& name : stale) fs::remove_all(Below(to, name), error);
  for (const std::string& name : files) {
    const fs::path copy = Below(to, name);
    if (IsSame(Below(from, name), copy)) continue;
    fs::remove_all(copy, error);
    fs::create_directories(copy.parent_path(), error);
    fs::copy(Below(from, name), copy, fs::copy_options::copy_symlinks, error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot copy ", Below(from, name), ": ", error.message()));
    }
  }
  const absl::StatusOr<std::string> head =
      OutputOf({absl::StrCat(PrintRepository(from), " && git rev-parse --verify -q HEAD || true"),
                from, "reading HEAD", ""});
  if (!head.ok()) return head.status();
  const std::pair<std::string, std::string> parts = absl::StrSplit(*head, absl::MaxSplits('\n', 1));
  absl::Status status;
  if (!parts.second.empty()) status = MakeRepository({path, parts.second, parts.first}, false, to);
  for (const std::string& name : inside) {
    if (status.ok()) status = CopyRepository(user, PathIn(path, name), folder);
  }
  return status;
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

absl::StatusOr<SourcePlan> PlanOfCommit(const UserRepository& user, const std::string& commit) {
  SourcePlan plan;
  plan.trees.push_back({"", commit, user.git_dir});
  const absl::Status status = AddSubmodules(user, plan.trees[0], &plan);
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
    const absl::Status status = MakeRepository(tree, true, place);
    if (!status.ok()) return status;
  }
  return LinkFolders(user, folder);
}

absl::Status CopyWorkingTree(const UserRepository& user, const std::string& folder) {
  const absl::Status status = CopyRepository(user, "", folder);
  return status.ok() ? LinkFolders(user, folder) : status;
}

}  // namespace duetbench::duet
