#include "duetbench/platform/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// Variants that close all the descriptors that they may have, such as 3 to 255, or open many, do
// not meet one as high as this.
int HighDescriptor() {
  constexpr rlim_t kHigh = 1000;
  constexpr rlim_t kReserve = 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return STDERR_FILENO + 1;
  const rlim_t highest = std::min(limit.rlim_cur, kHigh + kReserve);
  return highest > 2 * kReserve ? static_cast<int>(highest - kReserve) : STDERR_FILENO + 1;
}

std::vector<std::string> EnvironmentOf(const ChildRequest& request, int result_fd) {
  std::vector<std::pair<std::string, std::string>> added = request.environment;
  added.emplace_back(request.result_fd_variable, absl::StrCat(result_fd));
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const size_t name_length = strcspn(*entry, "=");
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& variable) {
      return variable.first == absl::string_view(*entry, name_length);
    });
    if (!replaced) environment.emplace_back(*entry);
  }
  for (const auto& variable : added) {
    environment.push_back(absl::StrCat(variable.first, "=", variable.second));
  }
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Signals are handled by this process and not by its children.
void ResetHandlers() {
  std::signal(SIGXFSZ, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) std::signal(number, SIG_DFL);
  }
}

absl::StatusOr<pid_t> Fork(const ChildRequest& request, int input_fd, int result_fd,
                           int output_fd) {
  // Else the child prints what this process has not printed yet.
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "no process can be forked");
  if (!request.is_part) setpgid(pid, pid);  // by both, as either may be first
  if (pid > 0) return pid;
  DieWithParent(parent);
  if (!request.is_part) {
    ResetHandlers();
    dup2(input_fd, STDIN_FILENO);
    dup2(output_fd, STDOUT_FILENO);
    dup2(output_fd, STDERR_FILENO);
    AdoptResultDescriptor(result_fd);
  }
  request.body(result_fd);
  _exit(kExitSuccess);
}

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

// FailedPrecondition, with its name, if a word of `argv`, or the value of a variable of the
// environment, names a pipe: a process that opens it waits for a writer forever, or finds it empty.
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

}  // namespace

absl::Status OpenPipe(Descriptor* read_end, Descriptor* write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
  }
  read_end->Reset(ends[0]);
  write_end->Reset(ends[1]);
  const int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, HighDescriptor());
  if (moved >= 0) write_end->Reset(moved);
  // In a process whose stdin, stdout or stderr is closed the pipe may have got that number, which
  // the child needs.
  if (write_end->get() <= STDERR_FILENO) {
    return absl::UnavailableError("cannot open a pipe to a child process: no descriptor is free");
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return absl::OkStatus();
}

size_t ReadSome(Descriptor& pipe, std::string* text, size_t limit) {
  constexpr size_t kMostBytes = 64 << 10;
  // No buffer on the stack, which may be small.
  const size_t before = text->size();
  text->resize(before + std::min(limit, kMostBytes));
  const ssize_t size = read(pipe.get(), text->data() + before, text->size() - before);
  const int error = errno;
  text->resize(before + static_cast<size_t>(std::max<ssize_t>(size, 0)));
  if (size > 0) return static_cast<size_t>(size);
  if (size == 0 || (error != EAGAIN && error != EINTR)) pipe.Reset();
  return 0;
}

absl::Status ChildInput::Open(const ChildRequest& request) {
  if (request.shares_input) {
    const absl::Status named = CheckNamedInputs(request.argv);
    if (!named.ok()) return named;
  }
  struct stat status {};
  const bool is_shared =
      request.shares_input && fstat(STDIN_FILENO, &status) == 0 && isatty(STDIN_FILENO) == 0;
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

absl::StatusOr<pid_t> Spawn(const ChildRequest& request, int input_fd, int result_fd,
                            int output_fd) {
  if (request.body) return Fork(request, input_fd, result_fd, output_fd);
  std::vector<std::string> argv = request.argv;
  std::vector<std::string> environment = EnvironmentOf(request, result_fd);
  const std::vector<char*> argv_pointers = Pointers(argv);
  const std::vector<char*> environment_pointers = Pointers(environment);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input_fd, STDIN_FILENO);
  // A descriptor duplicated onto itself loses its close-on-exec flag, in the child alone.
  posix_spawn_file_actions_adddup2(&files, result_fd, result_fd);
  if (request.inherited_fd >= 0) {
    posix_spawn_file_actions_adddup2(&files, request.inherited_fd, request.inherited_fd);
  }
  posix_spawn_file_actions_adddup2(&files, output_fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output_fd, STDERR_FILENO);
  if (!request.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&files, request.folder.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  // This process may ignore it; variants see what the user's programs see.
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t pid = -1;
  const bool again = request.executable == ChildRequest().executable;
  int error = posix_spawn(&pid, request.executable.c_str(), &files, &attributes,
                          argv_pointers.data(), environment_pointers.data());
  // Where /proc is not mounted.
  if (error != 0 && again) {
    error = posix_spawnp(&pid, argv[0].c_str(), &files, &attributes, argv_pointers.data(),
                         environment_pointers.data());
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot start ", again ? request.argv[0] : request.executable,
                            again ? " again" : ""));
  }
  return pid;
}

void OpenStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one, unless there is no /dev/null.
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
  }
}

void ReopenFiles() {
  constexpr char kFolder[] = "/proc/self/fd";
  for (const std::string& entry : ListFolder(kFolder)) {
    int fd = -1;
    struct stat status {};
    if (!absl::SimpleAtoi(entry, &fd) || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
      continue;
    }
    const int flags = fcntl(fd, F_GETFL);
    if ((flags & O_PATH) != 0 || (flags & O_ACCMODE) == O_WRONLY) continue;
    const int on_exec = fcntl(fd, F_GETFD) == FD_CLOEXEC ? O_CLOEXEC : 0;
    const int again_flags = (flags & ~O_TMPFILE) | O_CLOEXEC;
    const Descriptor again(open(absl::StrCat(kFolder, "/", fd).c_str(), again_flags));
    if (!again.open()) continue;
    lseek(again.get(), std::max<off_t>(lseek(fd, 0, SEEK_CUR), 0), SEEK_SET);
    dup3(again.get(), fd, on_exec);
  }
}

}  // namespace duetbench
