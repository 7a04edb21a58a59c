#include "tools/duet/git/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// OK if nobody but this user and root can change what `path` is; `forbidden`: bits of its mode.
absl::Status CheckFolder(const std::string& path, mode_t forbidden, bool may_be_of_root) {
  struct stat status {};
  struct stat top {};
  if (lstat(path.c_str(), &status) != 0 || stat("/", &top) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot examine ", path));
  }
  // In a user namespace root's files may appear to belong to nobody, and so does the topmost
  // folder.
  const bool is_of_root = status.st_uid == 0 || status.st_uid == top.st_uid;
  std::string why;
  if (status.st_uid != geteuid() && !(may_be_of_root && is_of_root)) {
    why = absl::StrCat("belongs to the user ", status.st_uid);
  } else if ((status.st_mode & forbidden) != 0 &&
             !(may_be_of_root && (status.st_mode & S_ISVTX) != 0)) {
    why = absl::StrFormat("can be changed by other users (mode %o)", status.st_mode & 07777);
  }
  if (why.empty()) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat(path, " ", why,
                   ", and programs below it would be executed: make it yours alone, remove it, or "
                   "choose another folder with --cache=FOLDER"));
}

}  // namespace

absl::StatusOr<std::string> CacheRoot(const std::string& chosen) {
  if (!chosen.empty()) return fs::absolute(chosen).lexically_normal().string();
  for (const auto& [name, below] :
       {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", "/.cache")}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && value[0] == '/') return absl::StrCat(value, below, "/duetbench");
  }
  return absl::FailedPreconditionError(
      "there is no folder for builds: XDG_CACHE_HOME and HOME are not set. Choose one that only "
      "you can write to: --cache=FOLDER");
}

absl::StatusOr<std::string> MakePrivateFolder(const std::string& path) {
  fs::path made;
  for (const fs::path& part : fs::path(path)) {
    made /= part;
    if (mkdir(made.c_str(), 0700) == 0 || fs::is_directory(made)) continue;
    return absl::PermissionDeniedError(absl::StrCat("cannot make the folder ", made.string(), ": ",
                                                    std::generic_category().message(errno),
                                                    " (--cache=FOLDER)"));
  }
  const std::string folder = fs::canonical(path).string();
  absl::Status status = CheckFolder(folder, S_IRWXG | S_IRWXO, false);
  mode_t forbidden = S_IWGRP | S_IWOTH;
  for (fs::path above = fs::path(folder); status.ok() && above != above.root_path();) {
    above = above.parent_path();
    status = CheckFolder(above.string(), forbidden, true);
    forbidden = S_IWOTH;
  }
  if (!status.ok()) return status;
  return folder;
}

absl::Status LockFolder(const std::string& folder) {
  const int fd = open(absl::StrCat(folder, "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot write to ", folder));
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  std::fprintf(stderr, "duet: waits for another duet git in this repository\n");
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  return absl::OkStatus();
}

}  // namespace duetbench::duet
