#include "duetbench/process/fresh_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/shared_memory.h"

namespace duetbench {
namespace {

bool WriteAll(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

// False with errno.
bool CopyFile(int from, int to) {
  std::vector<char> buffer(size_t{1} << 20);
  while (true) {
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0;
    if (!WriteAll(to, buffer.data(), static_cast<size_t>(size))) return false;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<FreshCopy>> FreshCopy::Of(const std::string& executable) {
  const int from = open(executable.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("a fresh copy: cannot read ", executable));
  }
  const int to = OpenSharedMemory(0);
  const bool copied = to >= 0 && CopyFile(from, to);
  const int error = errno;
  close(from);
  if (copied) return std::unique_ptr<FreshCopy>(new FreshCopy(to));
  if (to >= 0) close(to);
  return absl::ErrnoToStatus(error, "a fresh copy of the program needs memory (memfd_create)");
}

FreshCopy::FreshCopy(int fd) : fd_(fd), path_(absl::StrCat("/proc/self/fd/", fd)) {}

FreshCopy::~FreshCopy() { close(fd_); }

}  // namespace duetbench
