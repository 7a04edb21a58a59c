#ifndef TOOLS_DUET_GIT_CACHE_H_
#define TOOLS_DUET_GIT_CACHE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The folder that keeps builds. Programs in it are executed, so nobody but this user may write
// there.
namespace duetbench::duet {

// `chosen` (--cache), or $XDG_CACHE_HOME/duetbench, or $HOME/.cache/duetbench. A variable that is
// no absolute path does not count. FailedPrecondition: none of them is set.
absl::StatusOr<std::string> CacheRoot(const std::string& chosen);

// Makes the folder, and those above it that are missing, with mode 0700. Returns its path without
// symbolic links. PermissionDenied names the first folder that lets somebody else replace programs
// in it: `path` belongs to this user, who alone may enter it; the folder around it can be written
// by nobody else; the folders above belong to this user or root, and others may write to none of
// them unless it is sticky.
absl::StatusOr<std::string> MakePrivateFolder(const std::string& path);

// Locks the folder until the process ends; a second process waits.
absl::Status LockFolder(const std::string& folder);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_CACHE_H_
