#include "tools/duet_stat/input/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "absl/strings/str_cat.h"

namespace duetbench::duet_stat {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

}  // namespace

absl::StatusOr<ByteSource> OpenByteSource(const std::string& path) {
  int descriptor = STDIN_FILENO;
  if (path != kStandardInput) {
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", path));
  }
  const auto file = std::make_shared<const FileDescriptor>(descriptor);
  return ByteSource([file, path](char* buffer, std::size_t size) -> absl::StatusOr<std::size_t> {
    ssize_t count = 0;
    do {
      count = read(file->get(), buffer, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
    return static_cast<std::size_t>(count);
  });
}

}  // namespace duetbench::duet_stat
