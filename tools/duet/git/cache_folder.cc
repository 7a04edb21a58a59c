#include "tools/duet/git/cache_folder.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/platform/hash.h"
#include "duetbench/suite_report/repeat_command.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> Variable(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

bool IsAbsolute(const std::optional<std::string>& path) {
  return path.has_value() && fs::path(*path).is_absolute();
}

absl::Status Unsafe(const std::string& path, const std::string& why, const std::string& remedy) {
  return absl::PermissionDeniedError(
      absl::StrCat(path, " ", why, ", and programs below it would be executed: ", remedy,
                   ", or choose another folder with --cache=FOLDER"));
}

absl::Status CheckOwn(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot examine ", path));
  }
  const std::string remove = absl::StrCat("remove it (rm -r ", ShellQuoted(path), ")");
  if (S_ISLNK(status.st_mode)) return Unsafe(path, "is a symbolic link", remove);
  if (status.st_uid != geteuid()) {
    return Unsafe(path, absl::StrCat("belongs to the user ", status.st_uid), remove);
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Unsafe(
        path, absl::StrFormat("can be changed by other users (mode %o)", status.st_mode & 07777),
        remove);
  }
  return absl::OkStatus();
}

absl::Status CheckAbove(const std::string& path, uid_t owner_of_top) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot examine ", path));
  }
  // In a user namespace root's files may appear to belong to nobody, and so does the topmost
  // folder.
  if (status.st_uid != 0 && status.st_uid != geteuid() && status.st_uid != owner_of_top) {
    return Unsafe(path, absl::StrCat("belongs to the user ", status.st_uid),
                  "run duet git as that user");
  }
  if ((status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0) {
    return Unsafe(path, "can be changed by everybody",
                  absl::StrCat("chmod o-w ", ShellQuoted(path)));
  }
  return absl::OkStatus();
}

}  // namespace

CacheSurroundings ReadCacheSurroundings() {
  CacheSurroundings surroundings;
  surroundings.xdg_cache_home = Variable("XDG_CACHE_HOME");
  surroundings.home = Variable("HOME");
  std::vector<char> buffer(size_t{1} << 16);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 &&
      found != nullptr && found->pw_dir != nullptr) {
    surroundings.home_of_user = found->pw_dir;
  }
  return surroundings;
}

absl::StatusOr<std::string> CacheRoot(const std::string& chosen,
                                      const CacheSurroundings& surroundings) {
  if (!chosen.empty()) return fs::absolute(chosen).lexically_normal().string();
  if (IsAbsolute(surroundings.xdg_cache_home)) {
    return absl::StrCat(*surroundings.xdg_cache_home, "/duetbench");
  }
  for (const auto& home : {surroundings.home, std::optional(surroundings.home_of_user)}) {
    if (IsAbsolute(home)) return absl::StrCat(*home, "/.cache/duetbench");
  }
  return absl::FailedPreconditionError(
      "there is no folder for builds: XDG_CACHE_HOME and HOME are not set, and the password "
      "database has no home folder of this user. Choose one that only you can write to: "
      "--cache=FOLDER");
}

absl::StatusOr<std::string> MakePrivateFolder(const std::string& path) {
  const auto failed = [&](const std::string& cause) {
    return absl::PermissionDeniedError(
        absl::StrCat("cannot make the folder ", path, ": ", cause, " (--cache=FOLDER)"));
  };
  fs::path made;
  for (const fs::path& part : fs::path(path)) {
    made /= part;
    if (mkdir(made.c_str(), 0700) == 0 || errno == EEXIST || fs::is_directory(made)) continue;
    return failed(std::generic_category().message(errno));
  }
  std::error_code error;
  fs::path canonical = fs::canonical(path, error);
  if (error) return failed(error.message());
  if (!fs::is_directory(canonical, error)) return failed("a file has this name");
  return canonical.string();
}

absl::Status CheckPrivate(const std::string& root, const std::string& path) {
  struct stat top {};
  if (stat("/", &top) != 0) return absl::ErrnoToStatus(errno, "cannot examine /");
  for (fs::path above = fs::path(root).parent_path();; above = above.parent_path()) {
    const absl::Status status = CheckAbove(above.string(), top.st_uid);
    if (!status.ok()) return status;
    if (above == above.root_path()) break;
  }
  absl::Status status = CheckOwn(root);
  fs::path below = root;
  for (const fs::path& part : fs::path(path).lexically_relative(root)) {
    if (!status.ok()) break;
    if (part == ".") continue;
    below /= part;
    status = CheckOwn(below.string());
  }
  return status;
}

std::string HashOf(absl::string_view text) { return absl::StrFormat("%016x", HashOfText(text)); }

}  // namespace duetbench::duet
