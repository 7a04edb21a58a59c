#ifndef DUETBENCH_PLATFORM_SPAWN_H_
#define DUETBENCH_PLATFORM_SPAWN_H_

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {

// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    Reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { Reset(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

// Opens a pipe from a child process: reading does not block, and the other end has a high number,
// which variants that close descriptors or open many do not meet.
absl::Status OpenPipe(Descriptor* read_end, Descriptor* write_end);

// Reads once, at most `limit` bytes or 64 KiB; closes the descriptor at the end of the file.
// Returns the number of bytes read. Only one read, so that the caller checks its clock even if a
// child writes without pause.
size_t ReadSome(Descriptor& pipe, std::string* text, size_t limit = SIZE_MAX);

// stdin of a child process that is to read what every other one reads, too: each run starts the
// program again. A file is opened again, at the place where it was when this process began. What
// can be read only once (a pipe, a socket) is replaced by a line without text; whether the child
// has read it tells that the child needs the data. A terminal is replaced by /dev/null.
class ChildInput {
 public:
  // As above if the request shares the input, else /dev/null. Errors: there is none, and those of
  // a child that is told to read another pipe, by a word of its command or a variable.
  absl::Status Open(const ChildRequest& request);

  int get() const { return input_.get(); }
  // FailedPrecondition if the child has read what stands for a pipe.
  absl::Status Check() const;

 private:
  Descriptor input_;
  bool is_pipe_ = false;
};

// Starts the program of `request`, or forks its body, in a new process group. The child gets
// `input_fd` as stdin, `result_fd` under its number, and `output_fd` as stdout and stderr; one that
// is a part of this process gets `result_fd` alone.
absl::StatusOr<pid_t> Spawn(const ChildRequest& request, int input_fd, int result_fd,
                            int output_fd);

// Opens /dev/null on those of the descriptors 0, 1 and 2 that are closed. Otherwise the next file
// that is opened gets such a number, and what is printed goes into it. Call it as early as
// possible, before there are threads.
void OpenStandardDescriptors();

// Gives this process, a fork, its own offsets in the files that it can read and that were open
// before the fork: else one process moves the offset of the other. Each is opened again under its
// number, with the same flags and the offset that it has. What cannot be opened again (the rights
// have changed) stays shared, as do files that are only written, pipes and devices. About 5 µs for
// each open file.
void ReopenFiles();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SPAWN_H_
