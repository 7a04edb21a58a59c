#include "tools/duet/code/trace.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <map>
#include <set>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/spawn.h"
#include "tools/duet/code/unwinding.h"

extern char** environ;

namespace duetbench::duet {
namespace {

constexpr uint8_t kBreakpoint = 0xcc;
constexpr int kOfSystemCall = 0x80;  // of the signal, with PTRACE_O_TRACESYSGOOD

// System calls that open files stop the caller for the tracer, others do not. Async-signal-safe.
bool StopAtOpen() {
  constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr uint16_t kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr uint16_t kReturn = BPF_RET | BPF_K;
  sock_filter filter[] = {
      {kLoad, 0, 0, offsetof(seccomp_data, nr)},
      {kIfEqual, 3, 0, SYS_open},
      {kIfEqual, 2, 0, SYS_openat},
      {kIfEqual, 1, 0, SYS_openat2},
      {kReturn, 0, 0, SECCOMP_RET_ALLOW},
      {kReturn, 0, 0, SECCOMP_RET_TRACE},
  };
  const sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// One child under ptrace, with the processes and threads that it starts. But for Expire, all calls
// come from one thread, whose children they are.
class Tracer {
 public:
  explicit Tracer(const TraceRequest& request) : request_(request) {}

  absl::StatusOr<Trace> Execute();
  // Ends it, from any thread: it takes too long.
  void Expire() {
    is_expired_ = true;
    if (const pid_t child = child_; child > 0) kill(child, SIGKILL);
  }

 private:
  absl::Status Start();
  absl::Status Run();
  void Kill();
  Trace Finish();
  absl::Status SetBreakpoints();
  Descriptor& MemoryOf(pid_t task);
  // The task stopped at a breakpoint of this file.
  bool Pass(pid_t task);
  // The task stopped at the begin or at the end of a system call. True: at the end.
  bool NoteOpened(pid_t task);
  absl::Status CheckMaps(pid_t task);
  // True: all has ended.
  absl::StatusOr<bool> Handle(pid_t task, int status);

  const TraceRequest& request_;
  Descriptor result_;
  std::atomic<pid_t> child_ = -1;
  std::atomic<bool> is_expired_ = false;
  std::map<pid_t, Descriptor> tasks_;  // with their memory, where it was needed
  uint64_t base_ = 0;
  std::unordered_map<uint64_t, uint8_t> replaced_;  // by address in the process
  std::set<uint64_t> seen_;
  std::set<std::string> files_;
  Trace trace_;
};

absl::StatusOr<Trace> Tracer::Execute() {
  absl::Status status = Start();
  if (status.ok()) status = Run();
  if (is_expired_) status = absl::UnavailableError("it takes too long");
  if (status.ok()) return Finish();
  Kill();
  return status;
}

void Tracer::Kill() {
  if (child_ <= 0) return;
  kill(-child_, SIGKILL);
  for (const auto& [task, memory] : tasks_) kill(task, SIGKILL);
  while (waitpid(-1, nullptr, __WALL | __WNOTHREAD | WNOHANG) > 0) {
  }
}

absl::Status Tracer::Start() {
  result_.Reset(memfd_create("duet", 0));
  if (!result_.open()) return absl::ErrnoToStatus(errno, "memfd_create");
  std::vector<std::string> words;
  std::set<std::string> replaced = {request_.result_fd_variable};
  for (const auto& [name, value] : request_.environment) replaced.insert(name);
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string word = *at;
    if (replaced.count(word.substr(0, word.find('='))) == 0) words.push_back(word);
  }
  for (const auto& [name, value] : request_.environment) {
    words.push_back(absl::StrCat(name, "=", value));
  }
  words.push_back(absl::StrCat(request_.result_fd_variable, "=", result_.get()));
  std::vector<char*> environment;
  for (std::string& word : words) environment.push_back(word.data());
  environment.push_back(nullptr);
  std::vector<std::string> argv_words = request_.argv;
  std::vector<char*> argv;
  for (std::string& word : argv_words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t child = fork();
  if (child < 0) return absl::ErrnoToStatus(errno, "fork");
  if (child == 0) {
    setpgid(0, 0);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0 || !StopAtOpen()) _exit(126);
    execve(request_.executable.c_str(), argv.data(), environment.data());
    _exit(127);
  }
  close(null);
  int status = 0;
  if (waitpid(child, &status, __WALL) != child || !WIFSTOPPED(status)) {
    const bool not_allowed = WIFEXITED(status) && WEXITSTATUS(status) == 126;
    return absl::UnavailableError(not_allowed ? "ptrace or seccomp is not allowed here"
                                              : "the program cannot be started");
  }
  tasks_[child];
  child_ = child;
  // Expire did not know the child yet, which would be stopped for ever.
  if (is_expired_) return absl::CancelledError();
  if (ptrace(PTRACE_SETOPTIONS, child, nullptr,
             PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD |
                 PTRACE_O_TRACESECCOMP) != 0) {
    return absl::ErrnoToStatus(errno, "ptrace");
  }
  const absl::Status set = SetBreakpoints();
  if (!set.ok()) return set;
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  return absl::OkStatus();
}

Descriptor& Tracer::MemoryOf(pid_t task) {
  Descriptor& memory = tasks_[task];
  if (!memory.open()) {
    memory.Reset(open(absl::StrCat("/proc/", task, "/mem").c_str(), O_RDWR | O_CLOEXEC));
  }
  return memory;
}

absl::Status Tracer::SetBreakpoints() {
  char real[4096];
  if (realpath(request_.executable.c_str(), real) == nullptr) {
    return absl::ErrnoToStatus(errno, request_.executable);
  }
  const std::vector<Mapping> mappings = MappingsOf(child_);
  bool found = false;
  for (const Mapping& mapping : mappings) {
    if (mapping.file == real && mapping.offset == 0 && !found) {
      base_ = mapping.begin;
      found = true;
    }
  }
  if (!found) return absl::UnavailableError("the program is started by way of another one");
  const Descriptor& memory = MemoryOf(child_);
  if (!memory.open()) return absl::ErrnoToStatus(errno, "the memory of the program");
  for (const Mapping& mapping : mappings) {
    if (mapping.file != real || !mapping.executable) continue;
    std::string bytes(mapping.end - mapping.begin, '\0');
    const auto at = static_cast<off_t>(mapping.begin);
    if (pread(memory.get(), bytes.data(), bytes.size(), at) != static_cast<ssize_t>(bytes.size())) {
      return absl::ErrnoToStatus(errno, "the memory of the program");
    }
    for (const uint64_t function : request_.functions) {
      const uint64_t address = base_ + function;
      if (address < mapping.begin || address >= mapping.end) continue;
      char& byte = bytes[address - mapping.begin];
      replaced_[address] = static_cast<uint8_t>(byte);
      byte = static_cast<char>(kBreakpoint);
    }
    if (pwrite(memory.get(), bytes.data(), bytes.size(), at) !=
        static_cast<ssize_t>(bytes.size())) {
      return absl::ErrnoToStatus(errno, "the memory of the program");
    }
  }
  if (replaced_.size() != request_.functions.size()) {
    return absl::UnavailableError("some functions are not in the memory of the program");
  }
  return absl::OkStatus();
}

bool Tracer::Pass(pid_t task) {
  user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, task, nullptr, &registers) != 0) return false;
  const uint64_t address = registers.rip - 1;
  const auto found = replaced_.find(address);
  if (found == replaced_.end()) return false;
  // Processes that were forked have their own breakpoints, threads have not.
  if (pwrite(MemoryOf(task).get(), &found->second, 1, static_cast<off_t>(address)) != 1) {
    return false;
  }
  registers.rip = address;
  if (ptrace(PTRACE_SETREGS, task, nullptr, &registers) != 0) return false;
  if (seen_.insert(address).second) trace_.executed.push_back(address - base_);
  return true;
}

bool Tracer::NoteOpened(pid_t task) {
  user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, task, nullptr, &registers) != 0) return true;
  const auto result = static_cast<int64_t>(registers.rax);
  if (result == -ENOSYS) return false;  // so it is at the begin
  if (result < 0) return true;
  struct stat status;
  const std::string link = absl::StrCat("/proc/", task, "/fd/", result);
  char path[4096];
  const ssize_t size = readlink(link.c_str(), path, sizeof(path));
  if (size <= 0 || stat(link.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return true;
  const std::string file(path, static_cast<size_t>(size));
  for (const char* const folder : {"/proc/", "/sys/", "/dev/"}) {
    if (absl::StartsWith(file, folder)) return true;
  }
  trace_.opened.insert(file);
  return true;
}

absl::Status Tracer::CheckMaps(pid_t task) {
  for (const Mapping& mapping : MappingsOf(task)) {
    if (!mapping.executable || mapping.file == "[vdso]" || mapping.file == "[vsyscall]") continue;
    if (mapping.file.empty() || mapping.file[0] != '/' ||
        absl::EndsWith(mapping.file, " (deleted)")) {
      return absl::UnavailableError("it has code that is of no file");
    }
    files_.insert(mapping.file);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Tracer::Handle(pid_t task, int status) {
  if (WIFEXITED(status) || WIFSIGNALED(status)) {
    tasks_.erase(task);
    if (task == child_) {
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return absl::UnavailableError("it failed when its functions were looked for");
      }
    }
    return tasks_.empty();
  }
  if (!WIFSTOPPED(status)) return false;
  tasks_[task];
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  long delivered = 0;
  auto resume = PTRACE_CONT;
  unsigned long child = 0;
  if ((event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) &&
      ptrace(PTRACE_GETEVENTMSG, task, nullptr, &child) == 0) {
    tasks_[static_cast<pid_t>(child)];
  }
  if (event == PTRACE_EVENT_EXEC) return absl::UnavailableError("it executes another program");
  if (event == PTRACE_EVENT_EXIT) {
    if (const absl::Status checked = CheckMaps(task); !checked.ok()) return checked;
  } else if (event == PTRACE_EVENT_SECCOMP) {
    resume = PTRACE_SYSCALL;  // to the end of the system call
  } else if (signal == (SIGTRAP | kOfSystemCall)) {
    if (!NoteOpened(task)) resume = PTRACE_SYSCALL;
  } else if (event == 0 && signal == SIGTRAP) {
    if (!Pass(task)) return absl::UnavailableError("it has its own breakpoint");
  } else if (event == 0 && signal != SIGSTOP) {
    delivered = signal;
  }
  ptrace(resume, task, nullptr, delivered);
  return false;
}

absl::Status Tracer::Run() {
  for (;;) {
    int status = 0;
    // Not the children of other threads.
    const pid_t task = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (task < 0 && errno == EINTR) continue;
    if (task < 0) return absl::ErrnoToStatus(errno, "waitpid");
    const absl::StatusOr<bool> ended = Handle(task, status);
    if (!ended.ok()) return ended.status();
    if (*ended) return absl::OkStatus();
  }
}

Trace Tracer::Finish() {
  const off_t size = lseek(result_.get(), 0, SEEK_END);
  trace_.result.resize(static_cast<size_t>(std::max<off_t>(0, size)));
  const ssize_t got = pread(result_.get(), trace_.result.data(), trace_.result.size(), 0);
  trace_.result.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
  trace_.files.assign(files_.begin(), files_.end());
  return std::move(trace_);
}

}  // namespace

absl::StatusOr<Trace> TraceProgram(const TraceRequest& request) {
  Tracer tracer(request);
  auto trace = std::async(std::launch::async, [&tracer] { return tracer.Execute(); });
  if (trace.wait_for(request.timeout) == std::future_status::timeout) tracer.Expire();
  return trace.get();
}

}  // namespace duetbench::duet
