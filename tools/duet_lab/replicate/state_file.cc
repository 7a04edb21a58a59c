#include "tools/duet_lab/replicate/state_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {
namespace {

absl::StatusOr<std::string> ReadAll(int descriptor, const std::string& path) {
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t got = read(descriptor, buffer, sizeof(buffer));
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

absl::StatusOr<StateFile> StateFile::Open(const std::string& path, const std::string& parameters) {
  if (path.empty()) return StateFile(path, -1);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", path));
  StateFile file(path, descriptor);
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, " is no regular file: a state needs a file that it can read and add to"));
  }
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is in use by another process: wait for its end, or use another file"));
  }
  if (absl::Status read = file.Read(parameters); !read.ok()) return read;
  return file;
}

StateFile::~StateFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::Status StateFile::Read(const std::string& parameters) {
  const absl::StatusOr<std::string> text = ReadAll(descriptor_, path_);
  if (!text.ok()) return text.status();
  const std::string first_line = absl::StrCat(parameters, "\n");
  // Only the beginning of the first line was written: nothing was measured yet.
  if (text->size() < first_line.size() && absl::StartsWith(first_line, *text)) {
    if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) < 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot begin ", path_));
    }
    return Write(first_line);
  }
  if (!absl::StartsWith(*text, first_line)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path_, " belongs to another measurement; its first line is:\n  ",
                     text->substr(0, text->find('\n')).substr(0, 500), "\nnow it would be:\n  ",
                     parameters, "\nuse the same parameters, or another file"));
  }
  const std::size_t complete = text->rfind('\n') + 1;
  if (ftruncate(descriptor_, static_cast<off_t>(complete)) != 0 ||
      lseek(descriptor_, 0, SEEK_END) < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot remove the incomplete end of ", path_));
  }
  if (complete == first_line.size()) return absl::OkStatus();
  lines_ = absl::StrSplit(
      absl::string_view(*text).substr(first_line.size(), complete - first_line.size() - 1), '\n');
  return absl::OkStatus();
}

absl::Status StateFile::Write(const std::string& text) {
  const off_t begin = lseek(descriptor_, 0, SEEK_CUR);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(descriptor_, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      // A line that stays incomplete is removed when the file is opened again.
      if (ftruncate(descriptor_, begin) == 0) lseek(descriptor_, begin, SEEK_SET);
      return absl::ErrnoToStatus(error, absl::StrCat("cannot add to ", path_));
    }
    written += static_cast<std::size_t>(n);
  }
  return absl::OkStatus();
}

absl::Status StateFile::Append(const std::string& line) {
  if (descriptor_ >= 0) {
    if (absl::Status status = Write(absl::StrCat(line, "\n")); !status.ok()) return status;
  }
  lines_.push_back(line);
  return absl::OkStatus();
}

}  // namespace duetbench::lab
