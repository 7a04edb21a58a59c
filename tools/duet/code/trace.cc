#include "tools/duet/code/trace.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/spawn.h"

extern char** environ;

namespace duetbench::duet {
namespace {

constexpr uint8_t kBreakpoint = 0xcc;
constexpr int kOfSystemCall = 0x80;  // of the signal, with PTRACE_O_TRACESYSGOOD

std::string ReadAll(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string MapsOf(pid_t pid) { return ReadAll(absl::StrCat("/proc/", pid, "/maps")); }

// A mapping of /proc/PID/maps.
struct Mapping {
  uint64_t begin = 0, end = 0, offset = 0;
  bool executable = false;
  std::string file;  // may be empty, or in brackets
};

std::vector<Mapping> ParseMaps(const std::string& text) {
  std::vector<Mapping> mappings;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    if (words.size() < 5) continue;
    const std::vector<absl::string_view> ends = absl::StrSplit(words[0], '-');
    Mapping mapping;
    if (ends.size() != 2 || !absl::SimpleHexAtoi(ends[0], &mapping.begin) ||
        !absl::SimpleHexAtoi(ends[1], &mapping.end) ||
        !absl::SimpleHexAtoi(words[2], &mapping.offset)) {
      continue;
    }
    mapping.executable = absl::StrContains(words[1], 'x');
    if (words.size() > 5) {
      absl::string_view file = words[5];
      while (absl::ConsumePrefix(&file, " ")) {
      }
      mapping.file = std::string(file);
    }
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

// One child under ptrace, with the processes and threads that it starts.
class Tracer {
 public:
  explicit Tracer(const TraceRequest& request) : request_(request) {}
  ~Tracer() {
    if (child_ > 0) {
      kill(-child_, SIGKILL);
      for (const pid_t task : tasks_) kill(task, SIGKILL);
      while (waitpid(-1, nullptr, __WALL | WNOHANG) > 0) {
      }
    }
  }

  absl::Status Start();
  absl::Status Run();
  Trace Finish();

 private:
  absl::Status SetBreakpoints();
  bool Write(pid_t pid, uint64_t address, const void* bytes, size_t size) const;
  // The task stopped at a breakpoint of this file.
  bool Pass(pid_t task);
  void NoteOpened(pid_t task);
  absl::Status CheckMaps(pid_t task);
  // True: all has ended.
  absl::StatusOr<bool> Handle(pid_t task, int status);

  const TraceRequest& request_;
  Descriptor result_;
  pid_t child_ = -1;
  std::set<pid_t> tasks_;
  uint64_t base_ = 0;
  std::unordered_map<uint64_t, uint8_t> replaced_;  // by address in the process
  std::set<uint64_t> seen_;
  std::set<std::string> files_;
  Trace trace_;
};

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
  child_ = fork();
  if (child_ < 0) return absl::ErrnoToStatus(errno, "fork");
  if (child_ == 0) {
    setpgid(0, 0);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(126);
    execve(request_.executable.c_str(), argv.data(), environment.data());
    _exit(127);
  }
  close(null);
  tasks_.insert(child_);
  int status = 0;
  if (waitpid(child_, &status, __WALL) != child_ || !WIFSTOPPED(status)) {
    const bool not_allowed = WIFEXITED(status) && WEXITSTATUS(status) == 126;
    child_ = -1;
    return absl::UnavailableError(not_allowed ? "ptrace is not allowed here"
                                              : "the program cannot be started");
  }
  if (ptrace(PTRACE_SETOPTIONS, child_, nullptr,
             PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD) != 0) {
    return absl::ErrnoToStatus(errno, "ptrace");
  }
  const absl::Status set = SetBreakpoints();
  if (!set.ok()) return set;
  ptrace(PTRACE_SYSCALL, child_, nullptr, nullptr);
  return absl::OkStatus();
}

bool Tracer::Write(pid_t pid, uint64_t address, const void* bytes, size_t size) const {
  const Descriptor memory(open(absl::StrCat("/proc/", pid, "/mem").c_str(), O_RDWR | O_CLOEXEC));
  return memory.open() && pwrite(memory.get(), bytes, size, static_cast<off_t>(address)) ==
                              static_cast<ssize_t>(size);
}

absl::Status Tracer::SetBreakpoints() {
  char real[4096];
  if (realpath(request_.executable.c_str(), real) == nullptr) {
    return absl::ErrnoToStatus(errno, request_.executable);
  }
  const std::vector<Mapping> mappings = ParseMaps(MapsOf(child_));
  bool found = false;
  for (const Mapping& mapping : mappings) {
    if (mapping.file == real && mapping.offset == 0 && !found) {
      base_ = mapping.begin;
      found = true;
    }
  }
  if (!found) return absl::UnavailableError("the program is started by way of another one");
  const Descriptor memory(open(absl::StrCat("/proc/", child_, "/mem").c_str(), O_RDWR | O_CLOEXEC));
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
  if (!Write(task, address, &found->second, 1)) return false;
  registers.rip = address;
  if (ptrace(PTRACE_SETREGS, task, nullptr, &registers) != 0) return false;
  if (seen_.insert(address).second) trace_.executed.push_back(address - base_);
  return true;
}

// At the begin and the end of each system call; at the begin the result is -ENOSYS.
void Tracer::NoteOpened(pid_t task) {
  user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, task, nullptr, &registers) != 0) return;
  const auto call = static_cast<long>(registers.orig_rax);
  const auto result = static_cast<int64_t>(registers.rax);
  if (result < 0 || (call != SYS_open && call != SYS_openat)) return;
  struct stat status;
  const std::string link = absl::StrCat("/proc/", task, "/fd/", result);
  char path[4096];
  const ssize_t size = readlink(link.c_str(), path, sizeof(path));
  if (size <= 0 || stat(link.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::string file(path, static_cast<size_t>(size));
  for (const char* const folder : {"/proc/", "/sys/", "/dev/"}) {
    if (absl::StartsWith(file, folder)) return;
  }
  trace_.opened.insert(file);
}

absl::Status Tracer::CheckMaps(pid_t task) {
  for (const Mapping& mapping : ParseMaps(MapsOf(task))) {
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
  tasks_.insert(task);
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  long delivered = 0;
  if (event == PTRACE_EVENT_EXEC) return absl::UnavailableError("it executes another program");
  if (event == PTRACE_EVENT_EXIT) {
    if (const absl::Status checked = CheckMaps(task); !checked.ok()) return checked;
  } else if (signal == (SIGTRAP | kOfSystemCall)) {
    NoteOpened(task);
  } else if (event == 0 && signal == SIGTRAP) {
    if (!Pass(task)) return absl::UnavailableError("it has its own breakpoint");
  } else if (event == 0 && signal != SIGSTOP) {
    delivered = signal;
  }
  ptrace(PTRACE_SYSCALL, task, nullptr, delivered);
  return false;
}

absl::Status Tracer::Run() {
  const auto start = std::chrono::steady_clock::now();
  auto last = start;
  for (;;) {
    int status = 0;
    // This process may have other children: only those of the trace are waited for.
    pid_t task = 0;
    for (const pid_t known : std::vector<pid_t>(tasks_.begin(), tasks_.end())) {
      task = waitpid(known, &status, __WALL | WNOHANG);
      if (task != 0) break;
    }
    const auto now = std::chrono::steady_clock::now();
    if (task == 0) {
      if (now - start > request_.timeout) return absl::UnavailableError("it takes too long");
      if (now - last > std::chrono::milliseconds(1)) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      continue;
    }
    if (task < 0) return absl::ErrnoToStatus(errno, "waitpid");
    last = now;
    if (WIFSTOPPED(status)) {
      const int event = status >> 16;
      unsigned long child = 0;
      if ((event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK ||
           event == PTRACE_EVENT_VFORK) &&
          ptrace(PTRACE_GETEVENTMSG, task, nullptr, &child) == 0) {
        tasks_.insert(static_cast<pid_t>(child));
      }
    }
    const absl::StatusOr<bool> ended = Handle(task, status);
    if (!ended.ok()) return ended.status();
    if (*ended) return absl::OkStatus();
  }
}

Trace Tracer::Finish() {
  child_ = -1;
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
  if (const absl::Status started = tracer.Start(); !started.ok()) return started;
  if (const absl::Status run = tracer.Run(); !run.ok()) return run;
  return tracer.Finish();
}

}  // namespace duetbench::duet
