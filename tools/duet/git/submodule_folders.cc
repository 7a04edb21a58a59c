#include "tools/duet/git/submodule_folders.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

bool IsRepository(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path / "objects", error) && fs::exists(path / "HEAD", error);
}

bool HasDots(absl::string_view name) {
  const std::vector<absl::string_view> parts = absl::StrSplit(name, '/');
  return std::find(parts.begin(), parts.end(), "..") != parts.end();
}

// A path that a file of git names, relative to the file's folder.
fs::path Named(const fs::path& folder, absl::string_view path) {
  return (folder / std::string(path)).lexically_normal();
}

}  // namespace

std::vector<Submodule> ParseSubmodules(absl::string_view tree, absl::string_view paths) {
  const std::string zero(1, '\0');
  std::map<std::string, std::string> names;  // by path
  for (const absl::string_view entry : absl::StrSplit(paths, zero, absl::SkipEmpty())) {
    const std::vector<std::string> parts = absl::StrSplit(entry, absl::MaxSplits('\n', 1));
    absl::string_view name = parts[0];
    if (parts.size() == 2 && absl::ConsumePrefix(&name, "submodule.") &&
        absl::ConsumeSuffix(&name, ".path")) {
      names.emplace(parts[1], name);
    }
  }
  std::vector<Submodule> submodules;
  for (const absl::string_view entry : absl::StrSplit(tree, zero, absl::SkipEmpty())) {
    // MODE TYPE OBJECT<tab>PATH
    const std::vector<absl::string_view> parts = absl::StrSplit(entry, absl::MaxSplits('\t', 1));
    const std::vector<absl::string_view> words = absl::StrSplit(parts[0], ' ', absl::SkipEmpty());
    if (parts.size() != 2 || words.size() != 3 || words[0] != "160000") continue;
    Submodule submodule;
    submodule.path = std::string(parts[1]);
    submodule.commit = std::string(words[2]);
    const auto name = names.find(submodule.path);
    if (name != names.end()) submodule.name = name->second;
    submodules.push_back(std::move(submodule));
  }
  return submodules;
}

std::string RepositoryOf(const std::string& working_tree) {
  const fs::path link = fs::path(working_tree) / ".git";
  if (IsRepository(link)) return link.string();
  const std::optional<std::string> text = ReadTextFile(link.string());
  absl::string_view target = text.has_value() ? *text : absl::string_view();
  if (!absl::ConsumePrefix(&target, "gitdir: ")) return "";
  fs::path repository = Named(working_tree, target);
  // That of a worktree is a part of another one.
  const std::optional<std::string> common = ReadTextFile((repository / "commondir").string());
  if (common.has_value()) repository = Named(repository, *common);
  return IsRepository(repository) ? repository.string() : "";
}

std::vector<std::string> FindSubmodule(const Submodule& submodule,
                                       const std::vector<std::string>& parents,
                                       const std::string& working_tree) {
  std::vector<std::string> found;
  const auto add = [&](const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !IsRepository(real)) return;
    if (std::find(found.begin(), found.end(), real.string()) == found.end()) {
      found.push_back(real.string());
    }
  };
  const std::string own = RepositoryOf(absl::StrCat(working_tree, "/", submodule.path));
  if (!own.empty()) add(own);
  if (submodule.name.empty() || HasDots(submodule.name)) return found;
  for (const std::string& parent : parents) {
    add(absl::StrCat(parent, "/modules/", submodule.name));
    for (const std::string& worktree : ListFolder(parent + "/worktrees")) {
      add(absl::StrCat(parent, "/worktrees/", worktree, "/modules/", submodule.name));
    }
  }
  return found;
}

}  // namespace duetbench::duet
