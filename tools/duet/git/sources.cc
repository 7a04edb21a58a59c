#include "tools/duet/git/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/text_file.h"
#include "duetbench/suite_report/repeat_command.h"
#include "tools/duet/git/shell.h"
#include "tools/duet/git/submodule_folders.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// Settings that follow the user's configuration in a checkout. They switch off all that runs in the
// background or by itself.
constexpr char kSettings[] =
    "[core]\n\tbare = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n"
    "\tsparseCheckout = false\n"
    "[submodule]\n\trecurse = false\n"
    "[gc]\n\tauto = 0\n"
    "[maintenance]\n\tauto = false\n"
    "[advice]\n\tdetachedHead = false\n";

// A value in a configuration file.
std::string Quoted(absl::string_view value) {
  return absl::StrCat(
      "\"", absl::StrReplaceAll(value, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}}), "\"");
}

absl::Status Append(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::app);
  file << text;
  file.close();
  return file.good() ? absl::OkStatus()
                     : absl::UnavailableError(absl::StrCat("cannot write to ", path));
}

void CopyIfThere(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
}

absl::Status MakeRepository(const std::string& options, const std::string& format,
                            const std::string& folder) {
  const std::string hash = format == "sha1" ? "" : absl::StrCat("--object-format=", format, " ");
  return RunCommand({absl::StrCat("git init -q --template= ", options, hash, ShellQuoted(folder)),
                     "", absl::StrCat("making the repository ", folder), ""});
}

absl::Status AddAlternate(const std::string& git_dir, const std::string& objects) {
  std::error_code error;
  const fs::path info = fs::path(git_dir) / "objects/info";
  fs::create_directories(info, error);
  return Append((info / "alternates").string(), absl::StrCat(objects, "\n"));
}

bool HasFiles(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !fs::is_empty(folder, error);
}

}  // namespace

absl::StatusOr<Sources> Sources::Open(const std::string& working_tree, const std::string& git_dir,
                                      const std::string& folder) {
  Sources sources(working_tree, git_dir, folder);
  std::error_code error;
  fs::remove_all(folder, error);
  absl::StatusOr<std::string> format = OutputOf(
      {absl::StrCat("git --git-dir=", ShellQuoted(git_dir), " rev-parse --show-object-format"), "",
       "asking for the format of objects", ""});
  if (!format.ok()) return format.status();
  sources.object_format_ = *std::move(format);
  absl::Status status = MakeRepository("--bare ", sources.object_format_, folder);
  if (status.ok()) status = sources.AddObjects(git_dir);
  if (!status.ok()) return status;
  return sources;
}

absl::StatusOr<std::string> Sources::View(const std::string& arguments) const {
  return OutputOf({absl::StrCat("git --git-dir=", ShellQuoted(view_), " ", arguments), "",
                   "reading the commit", ""});
}

absl::Status Sources::AddObjects(const std::string& git_dir) const {
  const std::string objects = git_dir + "/objects";
  const std::string known = ReadTextFile(view_ + "/objects/info/alternates").value_or("");
  for (const absl::string_view line : absl::StrSplit(known, '\n')) {
    if (line == objects) return absl::OkStatus();
  }
  return AddAlternate(view_, objects);
}

absl::StatusOr<SourcePlan> Sources::Plan(const std::string& commit) const {
  SourcePlan plan;
  plan.trees.push_back({"", commit, git_dir_});
  const absl::Status status = AddSubmodules(plan.trees[0], {git_dir_}, &plan);
  if (!status.ok()) return status;
  return plan;
}

// `tree` by value: `plan` may move its own.
absl::Status Sources::AddSubmodules(SourceTree tree, const std::vector<std::string>& git_dirs,
                                    SourcePlan* plan) const {
  // Most repositories have none, and many files.
  const absl::StatusOr<std::string> listed = View(absl::StrCat(
      "ls-tree -r -z --full-tree ", tree.commit, " | { grep -az '^160000 ' || true; }"));
  if (!listed.ok()) return listed.status();
  if (listed->empty()) return absl::OkStatus();
  const absl::StatusOr<std::string> names =
      View(absl::StrCat("config -z --blob=", tree.commit,
                        ":.gitmodules --get-regexp '^submodule\\..*\\.path$' 2>/dev/null || true"));
  if (!names.ok()) return names.status();
  for (Submodule& submodule : ParseSubmodules(*listed, *names)) {
    const std::string prefix = tree.path.empty() ? "" : absl::StrCat(tree.path, "/");
    const std::vector<std::string> found =
        FindSubmodule(submodule, git_dirs, absl::StrCat(working_tree_, "/", prefix));
    for (const std::string& git_dir : found) {
      const absl::Status status = AddObjects(git_dir);
      if (!status.ok()) return status;
    }
    const absl::StatusOr<std::string> kind =
        View(absl::StrCat("cat-file -t ", submodule.commit, " 2>/dev/null || true"));
    if (!kind.ok()) return kind.status();
    const std::string path = absl::StrCat(prefix, submodule.path);
    if (found.empty() || *kind != "commit") {
      plan->missing.push_back(
          {path, submodule.commit, HasFiles(absl::StrCat(working_tree_, "/", path))});
      continue;
    }
    plan->trees.push_back({path, submodule.commit, found[0]});
    const absl::Status status = AddSubmodules(plan->trees.back(), found, plan);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Sources::CheckOut(const SourcePlan& plan, const std::string& folder) const {
  for (const SourceTree& tree : plan.trees) {
    const absl::Status status =
        CheckOutTree(tree, tree.path.empty() ? folder : absl::StrCat(folder, "/", tree.path));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Sources::CheckOutTree(const SourceTree& tree, const std::string& folder) const {
  // The checkout around it has made the folder of a submodule, unless a link is in its place.
  std::error_code error;
  if (!tree.path.empty() && fs::canonical(folder, error) != fs::path(folder)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the submodule ", tree.path, " is behind a symbolic link"));
  }
  absl::Status status = MakeRepository("", object_format_, folder);
  if (!status.ok()) return status;
  const std::string git_dir = folder + "/.git";
  status = AddAlternate(git_dir, view_ + "/objects");
  if (!status.ok()) return status;
  CopyIfThere(tree.git_dir + "/shallow", git_dir + "/shallow");
  CopyIfThere(tree.git_dir + "/info/attributes", git_dir + "/info/attributes");
  status = Append(
      git_dir + "/config",
      absl::StrCat("[include]\n\tpath = ", Quoted(tree.git_dir + "/config"), "\n", kSettings));
  if (!status.ok()) return status;
  const std::string what = tree.path.empty()
                               ? "checking out the commit"
                               : absl::StrCat("checking out the submodule ", tree.path);
  status = RunCommand({absl::StrCat("git --git-dir=", ShellQuoted(tree.git_dir),
                                    " for-each-ref --format='%(objectname) %(refname)' > ",
                                    ShellQuoted(git_dir + "/packed-refs")),
                       "", what, ""});
  if (!status.ok()) return status;
  return RunCommand(
      {absl::StrCat("git checkout -q --force --detach ", tree.commit), folder, what, ""});
}

namespace fs = std::filesystem;

absl::StatusOr<std::vector<std::string>> CheckMissing(const std::vector<std::string>& links,
                                                      const SourcePlan& plan) {
  std::vector<std::string> missing;
  for (const MissingSubmodule& submodule : plan.missing) {
    const bool is_linked = std::any_of(links.begin(), links.end(), [&](const std::string& link) {
      return submodule.path == link || absl::StartsWith(submodule.path, absl::StrCat(link, "/"));
    });
    if (is_linked) continue;
    missing.push_back(submodule.path);
    if (!submodule.is_used) continue;
    // The working tree would be built with it, and the commit without.
    return absl::FailedPreconditionError(absl::StrCat(
        "the commit needs ", submodule.commit.substr(0, 12), " of the submodule ", submodule.path,
        ", which was not fetched: git -C ", ShellQuoted(submodule.path), " fetch origin ",
        submodule.commit, " (or use the folder as it is: --link=", submodule.path, ")"));
  }
  return missing;
}

absl::Status LinkFolders(const std::vector<std::string>& links, const std::string& top,
                         const std::string& tree) {
  for (const std::string& link : links) {
    const fs::path target = fs::path(top) / link;
    const fs::path made = fs::path(tree) / link;
    std::error_code error;
    if (!fs::exists(target, error)) {
      return absl::NotFoundError(absl::StrCat("--link=", link, ": there is none in ", top));
    }
    fs::create_directories(made.parent_path(), error);
    // A symbolic link of the commit could lead out of the checkout.
    if (fs::canonical(made.parent_path(), error) != made.parent_path()) {
      return absl::FailedPreconditionError(
          absl::StrCat("--link=", link, ": the commit has a symbolic link on the way"));
    }
    // The folder of a submodule that was not fetched is empty.
    if (fs::symlink_status(made, error).type() != fs::file_type::not_found &&
        !(fs::is_directory(made, error) && fs::remove(made, error))) {
      return absl::FailedPreconditionError(
          absl::StrCat("--link=", link, ": the commit has files there, which are built"));
    }
    fs::create_symlink(target, made, error);
    if (error) return absl::UnavailableError(absl::StrCat("--link=", link, ": ", error.message()));
  }
  return absl::OkStatus();
}

}  // namespace duetbench::duet
