#include "duetbench/report/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFileMode = 0666;  // less the umask

absl::Status CannotWrite(const std::string& flag, const std::string& path, int error) {
  return absl::UnavailableError(
      absl::StrCat(flag, ": cannot write to '", path, "': ", std::strerror(error)));
}

// Without symbolic links; the same for two names of a file that is still to be created, too.
std::string Resolved(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : resolved.string();
}

// Two names of one regular file that exists, by links of either kind.
bool AreOneFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
}

// Names of descriptors, such as /dev/stdout: the file behind them is not to be replaced.
bool IsNameOfDevice(const std::string& path) {
  return absl::StartsWith(path, "/dev/") || absl::StartsWith(path, "/proc/");
}

}  // namespace

OutputFile::OutputFile(const std::string& flag, const std::string& path)
    : flag_(flag), path_(path), target_(Resolved(path)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status OutputFile::Fail(int error) { return status_ = CannotWrite(flag_, path_, error); }

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Open(const std::string& flag,
                                                             const std::string& path) {
  if (absl::Status status = CheckAppendable(flag, path); !status.ok()) return status;
  return std::unique_ptr<OutputFile>(new OutputFile(flag, path));
}

// -1 with errno.
int OutputFile::OpenToWrite() {
  std::error_code unknown;
  const bool is_file = fs::is_regular_file(path_, unknown) && !IsNameOfDevice(path_);
  const bool is_free = !fs::exists(fs::symlink_status(path_, unknown));
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  const auto open_in_place = [&] {
    return open(path_.c_str(), kFlags | (is_file ? O_TRUNC : O_APPEND), kNewFileMode);
  };
  if (!is_file && !is_free) return open_in_place();
  const std::string part = absl::StrCat(target_, ".", getpid(), ".part");
  const int fd = open(part.c_str(), kFlags | O_TRUNC, kNewFileMode);
  if (fd < 0) return is_file ? open_in_place() : fd;
  temporary_ = part;
  struct stat earlier {};
  if (is_file && stat(path_.c_str(), &earlier) == 0) {
    // As if it had been written in place. Only root may give files away; else they become ours.
    [[maybe_unused]] const int owner = fchown(fd, earlier.st_uid, earlier.st_gid);
    fchmod(fd, earlier.st_mode & 07777);
  }
  return fd;
}

absl::Status OutputFile::Append(absl::string_view text) {
  if (!status_.ok()) return status_;
  if (fd_ < 0) fd_ = OpenToWrite();
  const int error = fd_ < 0 ? errno : WriteAll(fd_, text);
  return error == 0 ? absl::OkStatus() : Fail(error);
}

absl::Status OutputFile::Commit() {
  if (!status_.ok() || fd_ < 0) return status_;
  // Some file systems report a full disk here.
  if (close(std::exchange(fd_, -1)) != 0) return Fail(errno);
  if (temporary_.empty()) return absl::OkStatus();
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return Fail(errno);
  temporary_.clear();
  return absl::OkStatus();
}

absl::Status AppendToFile(const std::string& flag, const std::string& path,
                          absl::string_view text) {
  const bool is_new = access(path.c_str(), F_OK) != 0;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kNewFileMode);
  if (fd < 0) return CannotWrite(flag, path, errno);
  struct stat before {};
  const bool is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
  int error = WriteAll(fd, text);
  if (error != 0 && is_file) {
    [[maybe_unused]] const int truncated = ftruncate(fd, before.st_size);
    if (is_new) unlink(path.c_str());
  }
  if (close(fd) != 0 && error == 0) error = errno;
  return error == 0 ? absl::OkStatus() : CannotWrite(flag, path, error);
}

absl::Status CheckAppendable(const std::string& flag, const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return CannotWrite(flag, path, EISDIR);
  const bool exists = fs::exists(path, unknown);
  const std::string wanted = exists ? path : fs::path(Resolved(path)).parent_path().string();
  if (access(wanted.c_str(), exists ? W_OK : W_OK | X_OK) == 0) return absl::OkStatus();
  return CannotWrite(flag, path, errno);
}

absl::Status CheckDistinct(const std::vector<NamedPath>& files) {
  for (const NamedPath& file : files) {
    if (!AreOneFile(file.path, "/proc/self/exe")) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(file.flag, ": '", file.path, "' is this program, which would be overwritten"));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& path = files[i].path;
      if (path.empty() || files[j].path.empty() || IsNameOfDevice(path)) continue;
      if (!AreOneFile(path, files[j].path) && Resolved(path) != Resolved(files[j].path)) continue;
      return absl::InvalidArgumentError(absl::StrCat(files[j].flag, " and ", files[i].flag,
                                                     ": both would write to '", path, "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace duetbench
