#include "duetbench/report/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

constexpr mode_t kNewFileMode = 0666;  // less the umask
constexpr int kTemporaryNames = 100;
constexpr char kTemporaryPrefix[] = ".duetbench-";

absl::Status CannotWrite(const std::string& flag, const std::string& path, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat(flag, ": cannot write to '", path, "': ", why));
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The path of the file itself, if it exists.
std::string Resolved(const std::string& path) {
  char* const text = realpath(path.c_str(), nullptr);
  if (text == nullptr) return path;
  std::string resolved = text;
  std::free(text);
  return resolved;
}

// The same as `path` for two names of a file that is still to be created, too.
std::string ResolvedInFolder(const std::string& path) {
  if (access(path.c_str(), F_OK) == 0) return Resolved(path);
  const size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return absl::StrCat(Resolved(FolderOf(path)), "/", name);
}

// Two names of one regular file that exists, by links of either kind.
bool AreOneFile(const std::string& a, const std::string& b) {
  struct stat of_a {};
  struct stat of_b {};
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 && S_ISREG(of_a.st_mode) &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// Names of descriptors, such as /dev/stdout: the file behind them is not to be replaced.
bool IsNameOfDevice(const std::string& path) {
  return absl::StartsWith(path, "/dev/") || absl::StartsWith(path, "/proc/");
}

// 0, or an errno.
int WriteAll(int fd, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(fd, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return 0;
}

void RemoveAbandoned(const std::string& folder) {
  for (const std::string& name : ListFolder(folder)) {
    if (!absl::StartsWith(name, kTemporaryPrefix)) continue;
    const std::string path = absl::StrCat(folder, "/", name);
    const int fd = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(path.c_str());
    close(fd);
  }
}

std::string NameOfDescriptor(int fd) { return absl::StrCat("/proc/self/fd/", fd); }

}  // namespace

OutputFile::OutputFile(const std::string& flag, const std::string& path)
    : flag_(flag), path_(path), target_(Resolved(path)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && IsStillOurs()) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status OutputFile::Fail(int error, const char* cause) {
  status_ = CannotWrite(flag_, path_, cause != nullptr ? cause : std::strerror(error));
  return status_;
}

int OutputFile::OpenInPlace() {
  in_place_ = true;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  struct stat existing {};
  if (stat(path_.c_str(), &existing) == 0 && S_ISFIFO(existing.st_mode)) {
    const int probe = open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (probe < 0 && errno == ENXIO) {
      std::fprintf(stderr, "duetbench: %s waits until a process reads from the FIFO '%s'\n",
                   flag_.c_str(), path_.c_str());
    }
    // Before the probe is closed: a reader would take that for the end of what is written.
    fd_ = open(path_.c_str(), kFlags, kNewFileMode);
    const int error = errno;
    if (probe >= 0) close(probe);
    return fd_ >= 0 ? 0 : error;
  }
  fd_ = open(path_.c_str(), kFlags, kNewFileMode);
  return fd_ >= 0 ? 0 : errno;
}

int OutputFile::OpenUnnamed(const std::string& folder) {
#ifdef O_TMPFILE
  fd_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFileMode);
  if (fd_ < 0) return errno;
  // Without /proc it could not be given a name.
  if (access(NameOfDescriptor(fd_).c_str(), F_OK) == 0) return 0;
  close(fd_);
  fd_ = -1;
#else
  (void)folder;
#endif
  return ENOTSUP;
}

// A file with a name is left behind by a program that is killed. Each is locked by its writer, on
// network file systems too; the lock ends with it.
int OutputFile::OpenTemporary() {
  RemoveAbandoned(FolderOf(target_));
  for (int i = 0; i < kTemporaryNames; ++i) {
    const std::string name =
        absl::StrCat(FolderOf(target_), "/", kTemporaryPrefix, getpid(), "-", i);
    fd_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    if (fd_ < 0 && errno == EEXIST) continue;
    if (fd_ < 0) break;
    flock(fd_, LOCK_EX | LOCK_NB);
    temporary_ = name;
    struct stat opened {};
    if (fstat(fd_, &opened) == 0 && opened.st_nlink > 0) break;
    close(fd_);  // another program took it for abandoned before it was locked
    fd_ = -1;
    temporary_.clear();
  }
  return fd_ >= 0 ? 0 : errno;
}

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Open(const std::string& flag,
                                                             const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile(flag, path));
  struct stat existing {};
  struct stat link {};
  const bool exists = stat(path.c_str(), &existing) == 0;
  const bool dangles = !exists && lstat(path.c_str(), &link) == 0;
  int error = 0;
  if (IsNameOfDevice(path) || dangles || (exists && !S_ISREG(existing.st_mode))) {
    error = file->OpenInPlace();
  } else if (exists && access(path.c_str(), W_OK) != 0) {
    error = errno;
  } else {
    error = file->OpenUnnamed(FolderOf(file->target_));
    if (error != 0) error = file->OpenTemporary();
    if (error != 0 && exists) error = file->OpenInPlace();
  }
  if (error != 0) return file->Fail(error);
  if (exists && !file->in_place_) {
    // As if it had been written in place. Only root may give files away; else they become ours.
    [[maybe_unused]] const int owner = fchown(file->fd_, existing.st_uid, existing.st_gid);
    fchmod(file->fd_, existing.st_mode & 07777);
  }
  struct stat opened {};
  if (fstat(file->fd_, &opened) != 0) return file->Fail(errno);
  file->device_ = opened.st_dev;
  file->inode_ = opened.st_ino;
  return file;
}

// A variant in this process may have closed all descriptors, and opened others.
bool OutputFile::IsStillOurs() const {
  struct stat now {};
  return fstat(fd_, &now) == 0 && now.st_dev == device_ && now.st_ino == inode_;
}

absl::Status OutputFile::Append(absl::string_view text) {
  if (!status_.ok()) return status_;
  if (!IsStillOurs()) return Fail(0, "something in this program has closed its descriptor");
  if (in_place_ && !written_) {
    written_ = true;
    // Devices and pipes cannot be emptied, and need not.
    if (ftruncate(fd_, 0) != 0 && errno != EINVAL) return Fail(errno);
  }
  const int error = WriteAll(fd_, text);
  return error == 0 ? absl::OkStatus() : Fail(error);
}

// 0, or an errno.
int OutputFile::GiveName() {
  const char* const target = target_.c_str();
  if (temporary_.empty()) {
    const std::string descriptor = NameOfDescriptor(fd_);
    const auto link_as = [&](const char* name) {
      return linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_as(target)) return 0;
    if (errno != EEXIST) return errno;
    // Only a file with a name replaces another one.
    const std::string name = absl::StrCat(FolderOf(target_), "/", kTemporaryPrefix, getpid());
    if (!link_as(name.c_str())) {
      if (errno != EEXIST) return errno;
      unlink(name.c_str());  // left by an earlier process of this number
      if (!link_as(name.c_str())) return errno;
    }
    temporary_ = name;
  }
  if (rename(temporary_.c_str(), target) != 0) return errno;
  temporary_.clear();
  return 0;
}

absl::Status OutputFile::Commit() {
  if (absl::Status status = Append(""); !status.ok()) return status;
  if (!in_place_) {
    if (const int error = GiveName(); error != 0) return Fail(error);
  }
  const int fd = fd_;
  fd_ = -1;
  // Some file systems report a full disk here.
  return close(fd) == 0 ? absl::OkStatus() : Fail(errno);
}

absl::Status AppendToFile(const std::string& flag, const std::string& path,
                          absl::string_view text) {
  const bool is_new = access(path.c_str(), F_OK) != 0;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kNewFileMode);
  if (fd < 0) return CannotWrite(flag, path, std::strerror(errno));
  struct stat before {};
  const bool is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
  int error = WriteAll(fd, text);
  if (error != 0 && is_file) {
    [[maybe_unused]] const int truncated = ftruncate(fd, before.st_size);
    if (is_new) unlink(path.c_str());
  }
  if (close(fd) != 0 && error == 0) error = errno;
  return error == 0 ? absl::OkStatus() : CannotWrite(flag, path, std::strerror(error));
}

absl::Status CheckAppendable(const std::string& flag, const std::string& path) {
  struct stat existing {};
  const bool exists = stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) return CannotWrite(flag, path, std::strerror(EISDIR));
  const std::string wanted = exists ? path : FolderOf(path);
  if (access(wanted.c_str(), exists ? W_OK : W_OK | X_OK) == 0) return absl::OkStatus();
  return CannotWrite(flag, path, std::strerror(errno));
}

absl::Status CheckDistinct(const std::vector<NamedPath>& files) {
  for (const NamedPath& file : files) {
    if (file.path.empty() || !AreOneFile(file.path, "/proc/self/exe")) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(file.flag, ": '", file.path, "' is this program, which would be overwritten"));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& path = files[i].path;
      if (path.empty() || files[j].path.empty() || IsNameOfDevice(path)) continue;
      const bool is_same = AreOneFile(path, files[j].path) ||
                           ResolvedInFolder(path) == ResolvedInFolder(files[j].path);
      if (!is_same) continue;
      return absl::InvalidArgumentError(absl::StrCat(files[j].flag, " and ", files[i].flag,
                                                     ": both would write to '", path, "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace duetbench
