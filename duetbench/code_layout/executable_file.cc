#include "duetbench/code_layout/executable_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// False with errno if not all bytes could be written.
bool WriteBytes(int fd, absl::Span<const uint8_t> bytes) {
  return WriteAll(fd, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}) == 0;
}

// -1 with errno.
int MakeInFolder(absl::Span<const uint8_t> bytes, const std::string& folder) {
  constexpr int kRights = 0700;
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kRights);
  if (fd < 0) return -1;
  // A file that is open for writing cannot be executed.
  const int reader =
      WriteBytes(fd, bytes) ? open(PathOfDescriptor(fd).c_str(), O_RDONLY | O_CLOEXEC) : -1;
  const int error = errno;
  close(fd);
  errno = error;
  return reader;
}

// -1 with errno.
int MakeInMemory(absl::Span<const uint8_t> bytes) {
  // Since Linux 6.3 a system may make those without this flag not executable; older ones refuse it.
  constexpr unsigned kExecutable = 0x10;  // MFD_EXEC
  int fd = memfd_create("duetbench", MFD_CLOEXEC | kExecutable);
  if (fd < 0 && errno == EINVAL) fd = memfd_create("duetbench", MFD_CLOEXEC);
  if (fd < 0 || WriteBytes(fd, bytes)) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return absl::UnavailableError(
        absl::StrCat("cannot be read", fd < 0 ? ": " : "", fd < 0 ? strerror(error) : ""));
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* const map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (map == MAP_FAILED) return absl::ErrnoToStatus(errno, "cannot be mapped");
  return MappedFile(absl::MakeConstSpan(static_cast<const uint8_t*>(map), size));
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

std::string PathOfFile(const std::string& path) {
  std::unique_ptr<char, void (*)(void*)> resolved(realpath(path.c_str(), nullptr), std::free);
  return resolved == nullptr ? path : resolved.get();
}

std::string FolderOf(const std::string& path_of_file) {
  const size_t slash = path_of_file.rfind('/');
  return slash == std::string::npos ? "." : path_of_file.substr(0, slash + 1);
}

absl::Status CheckHasNoRights(const std::string& path) {
  struct stat status {};
  const bool has_set_id =
      stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
  if (has_set_id || getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    return absl::FailedPreconditionError("has rights that a copy would not have (setuid, setcap)");
  }
  return absl::OkStatus();
}

absl::StatusOr<Descriptor> MakeExecutable(absl::Span<const uint8_t> bytes,
                                          const std::string& folder, bool needs_folder) {
  int fd = MakeInFolder(bytes, folder);
  if (fd < 0 && !needs_folder) fd = MakeInMemory(bytes);
  if (fd >= 0) return Descriptor(fd);
  return absl::ErrnoToStatus(
      errno,
      needs_folder
          ? absl::StrCat("finds its libraries in its own folder, and a copy cannot lie in ", folder)
          : "has no place for copies");
}

bool RewriteExecutable(const Descriptor& file, absl::Span<const uint8_t> bytes) {
  const Descriptor writer(open(PathOfDescriptor(file.get()).c_str(), O_WRONLY | O_CLOEXEC));
  return writer.open() && WriteBytes(writer.get(), bytes) &&
         ftruncate(writer.get(), static_cast<off_t>(bytes.size())) == 0;
}

std::string PathOfDescriptor(int fd) { return absl::StrCat("/proc/self/fd/", fd); }

}  // namespace duetbench
