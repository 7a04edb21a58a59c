#include "tools/duet/git/linked_folders.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/suite_report/repeat_command.h"

namespace duetbench::duet {

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
