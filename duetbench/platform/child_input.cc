#include "duetbench/platform/child_input.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace duetbench {
namespace {

constexpr char kRemedy[] =
    " can be read only once, and each run starts the program again: give it a file";

// Before main has read from it.
const off_t stdin_begin = std::max<off_t>(lseek(STDIN_FILENO, 0, SEEK_CUR), 0);

bool IsPipe(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

bool NamesPipe(absl::string_view path) {
  struct stat status {};
  return stat(std::string(path).c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

absl::Status PipeError(absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat("'", what, "' names a pipe, which", kRemedy));
}

}  // namespace

absl::Status ChildInput::Open(bool is_shared) {
  struct stat status {};
  is_shared = is_shared && fstat(STDIN_FILENO, &status) == 0 && isatty(STDIN_FILENO) == 0;
  if (is_shared && !IsPipe(status)) {
    input_.Reset(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (input_.open()) lseek(input_.get(), stdin_begin, SEEK_SET);
  } else if (!is_shared) {
    input_.Reset(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input_.open()) {
      return absl::ErrnoToStatus(errno, "cannot open /dev/null for a child process");
    }
  }
  if (input_.open()) return absl::OkStatus();
  // A pipe, or a file that this process must not open.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
  }
  input_.Reset(ends[0]);
  const Descriptor write_end(ends[1]);
  is_pipe_ = write(write_end.get(), "\n", 1) == 1;
  return absl::OkStatus();
}

absl::Status ChildInput::Check() const {
  int unread = 1;
  if (!is_pipe_ || ioctl(input_.get(), FIONREAD, &unread) != 0 || unread > 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("reads stdin, a pipe, which", kRemedy, " (< FILE, or < /dev/null)"));
}

absl::Status CheckNamedInputs(const std::vector<std::string>& argv) {
  for (const std::string& argument : argv) {
    // Commands have several words.
    for (const absl::string_view word :
         absl::StrSplit(argument, absl::ByAnyChar(" \t\n'\";|&(){}<>="), absl::SkipEmpty())) {
      if (NamesPipe(word)) return PipeError(word);
    }
  }
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::vector<absl::string_view> parts = absl::StrSplit(*entry, absl::MaxSplits('=', 1));
    if (parts.size() > 1 && NamesPipe(parts[1])) return PipeError(*entry);
  }
  return absl::OkStatus();
}

}  // namespace duetbench
