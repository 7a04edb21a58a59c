#ifndef TOOLS_DUET_GIT_CACHE_FOLDER_H_
#define TOOLS_DUET_GIT_CACHE_FOLDER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The folder that keeps builds. Programs in it are executed, so nobody but this user may write
// there.
namespace duetbench::duet {

// The variables that name the folder.
struct CacheSurroundings {
  std::optional<std::string> xdg_cache_home;  // $XDG_CACHE_HOME
  std::optional<std::string> home;            // $HOME
  std::string home_of_user;                   // of the password database; empty: it has none
};

CacheSurroundings ReadCacheSurroundings();

// `chosen` (--cache), or $XDG_CACHE_HOME/duetbench, or .cache/duetbench in the home folder. A
// variable that is no absolute path does not count. FailedPrecondition: there is no home folder.
absl::StatusOr<std::string> CacheRoot(const std::string& chosen,
                                      const CacheSurroundings& surroundings);

// Makes the folder, and those above it that are missing, with mode 0700. Returns its path without
// symbolic links.
absl::StatusOr<std::string> MakePrivateFolder(const std::string& path);

// OK if only this user (and root) can change `path` and the folders from `root` down to it: each
// belongs to this user, and its group and others may not write. Folders above `root` belong to this
// user or root, and others may write to none of them unless it is sticky. Both paths are absolute
// and without symbolic links; `path` is `root` or below it. PermissionDenied names the first that
// is not so.
absl::Status CheckPrivate(const std::string& root, const std::string& path);

// FNV-1a in 16 hexadecimal digits: the same in every process, which std::hash does not promise.
std::string HashOf(absl::string_view text);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_CACHE_FOLDER_H_
