#include "tools/duet/execution.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/measure/shared_block.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/thread.h"

extern char** environ;

namespace duetbench::duet {
namespace {

constexpr char kExecutionVariable[] = "DUET_EXECUTION_FD";
constexpr char kExecute[] = "execute";
// kExecute, the CPU, the meeting, has_report, the offset of the stack, the executable
constexpr size_t kFixedWords = 6;
constexpr char kPaddingVariable[] = "DUETBENCH_STACK";
// More is no report of one benchmark.
constexpr off_t kMaxReportBytes = off_t{64} << 20;

ChildRequest RequestFor(const ExecutionRequest& request) {
  ChildRequest child;
  child.argv = {"duet",
                kExecute,
                absl::StrCat(request.cpu),
                absl::StrCat(request.meeting),
                request.has_report ? "1" : "0",
                absl::StrCat(request.stack_offset),
                request.executable};
  child.argv.insert(child.argv.end(), request.words.begin(), request.words.end());
  child.folder = request.folder;
  child.result_fd_variable = kExecutionVariable;
  child.interrupted = InterruptSignal();
  child.shares_input = true;
  child.inherited_fd = request.meeting;
  child.timeout = std::chrono::nanoseconds(static_cast<int64_t>(request.timeout_ns));
  return child;
}

absl::StatusOr<Execution> ExecutionIn(ChildOutcome outcome) {
  Execution execution;
  if (outcome.result.size() < sizeof(ExecutionRecord)) {
    return absl::InternalError(absl::StrCat("the process that executes the program ",
                                            DescribeEnd(outcome), "; ", outcome.output_tail));
  }
  std::memcpy(&execution.record, outcome.result.data(), sizeof(ExecutionRecord));
  execution.report = outcome.result.substr(sizeof(ExecutionRecord));
  execution.said = std::move(outcome.output_tail);
  return execution;
}

// Flags of this tool in the environment, which the program would read, too.
void RemoveFlags() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!absl::StartsWith(*entry, "DUET_") && !absl::StartsWith(*entry, "BENCHMARK_")) continue;
    names.emplace_back(*entry, std::strcspn(*entry, "="));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

// Above its stack a program has the path of its file, its arguments and its environment.
void FixMemoryLayout(int stack_offset, const std::string& executable,
                     const std::vector<std::string>& words) {
  SetLayoutFixed(true);
  size_t bytes = executable.size();
  for (const std::string& word : words) bytes += word.size() + 1;
  const size_t padding = (static_cast<size_t>(stack_offset) - bytes) % kPageBytes;
  setenv(kPaddingVariable, std::string(padding, '.').c_str(), 1);
}

[[noreturn]] void BecomeProgram(const std::string& executable, std::vector<std::string> words,
                                int out) {
  dup2(out, STDOUT_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(executable.empty() ? argv[0] : executable.c_str(), argv.data());
  const std::string error = absl::StrCat("cannot execute ", words[0], ": ", strerror(errno), "\n");
  // As shells have it.
  const int status = errno == ENOENT ? 127 : 126;
  if (write(STDERR_FILENO, error.data(), error.size()) < 0) _exit(status);
  _exit(status);
}

int64_t NowNs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// True if descendants of this process, which adopts those of a program that has ended, still run
// after 0.1 s (chosen: longer than a process needs to end).
bool HasDescendants() {
  for (int wait_ms = 0; wait_ms < 100; ++wait_ms) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// Executes the program with `out` as stdout. False: there is no process for it.
bool ExecuteProgram(const std::string& executable, const std::vector<std::string>& words, int out,
                    ExecutionRecord* record) {
#ifdef PR_SET_CHILD_SUBREAPER
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  record->start_ns = NowNs();
  const pid_t pid = fork();
  if (pid < 0) return false;
  if (pid == 0) BecomeProgram(executable, words, out);
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  record->end_ns = NowNs();
  record->waited_ns = SchedulingTimesOf(absl::StrCat(pid)).waiting_ns;
  rusage usage{};
  const pid_t ended = wait4(pid, &record->wait_status, 0, &usage);  // without waiting
  record->leaves_processes = HasDescendants() ? 1 : 0;
  record->user_s = Seconds(usage.ru_utime);
  record->system_s = Seconds(usage.ru_stime);
  record->times_blocked = static_cast<double>(usage.ru_nvcsw);
  record->max_rss_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  return ended == pid;
}

// A file without a name, for the report.
int OpenReport() {
  const int memory = OpenSharedMemory(0);
  if (memory >= 0) return memory;
  std::FILE* const file = std::tmpfile();
  return file == nullptr ? -1 : fileno(file);
}

std::string ContentOf(int file) {
  const off_t size = std::min(lseek(file, 0, SEEK_END), kMaxReportBytes);
  std::string content(static_cast<size_t>(std::max<off_t>(size, 0)), '\0');
  const ssize_t got = pread(file, content.data(), content.size(), 0);
  content.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return content;
}

}  // namespace

size_t MeetingBytes() { return sizeof(Stage); }

bool Execution::exited() const { return WIFEXITED(record.wait_status); }

int Execution::exit_status() const { return WEXITSTATUS(record.wait_status); }

std::string Execution::HowItEnded() const {
  ChildOutcome outcome;
  outcome.result = "reported";
  if (exited()) {
    outcome.exit_code = exit_status();
  } else {
    outcome.end = ChildOutcome::End::kSignalled;
    outcome.signal = WTERMSIG(record.wait_status);
  }
  const std::string lines(absl::StripTrailingAsciiWhitespace(said));
  const std::string last = lines.substr(lines.rfind('\n') + 1);
  return absl::StrCat(DescribeEnd(outcome), last.empty() ? "" : ": ", last);
}

absl::StatusOr<std::vector<Execution>> Execute(const std::vector<ExecutionRequest>& requests,
                                               int* failed) {
  std::vector<ChildRequest> children;
  for (const ExecutionRequest& request : requests) children.push_back(RequestFor(request));
  absl::StatusOr<std::vector<ChildOutcome>> outcomes = RunChildren(children);
  if (!outcomes.ok()) return outcomes.status();
  for (size_t i = 0; i < outcomes->size(); ++i) {
    const ChildOutcome& outcome = (*outcomes)[i];
    if (outcome.end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
    if (outcome.end != ChildOutcome::End::kTimedOut) continue;
    *failed = static_cast<int>(i);
    return absl::AbortedError(
        absl::StrCat(DescribeEnd(outcome), " (--duet_timeout=SECONDS gives it more time)"));
  }
  std::vector<Execution> executions;
  for (ChildOutcome& outcome : *outcomes) {
    absl::StatusOr<Execution> execution = ExecutionIn(std::move(outcome));
    if (!execution.ok()) return execution.status();
    executions.push_back(*std::move(execution));
  }
  return executions;
}

bool ServeExecution(const std::vector<std::string>& arguments, int* status) {
  if (arguments.size() <= kFixedWords || arguments[0] != kExecute) return false;
  const absl::StatusOr<int> result = TakeResultDescriptor(kExecutionVariable);
  if (!result.ok()) return false;
  DieWithParent(getppid());
  *status = kExitError;
  int cpu = -1;
  int meeting = -1;
  int stack_offset = -1;
  if (!absl::SimpleAtoi(arguments[1], &cpu) || !absl::SimpleAtoi(arguments[2], &meeting) ||
      !absl::SimpleAtoi(arguments[4], &stack_offset)) {
    return true;
  }
  const bool has_report = arguments[3] == "1";
  if (has_report) RemoveFlags();
  const int out = has_report ? OpenReport() : open("/dev/null", O_WRONLY | O_CLOEXEC);
  ExecutionRecord record;
  record.not_pinned = cpu >= 0 && !PinThisThread(cpu).ok() ? 1 : 0;
  if (meeting >= 0) {
    auto* const stage = static_cast<Stage*>(MapSharedMemory(meeting, sizeof(Stage)));
    if (stage == nullptr) return true;
    close(meeting);
    stage->Pass();
    stage->Await(2);
  }
  const std::vector<std::string> words(arguments.begin() + kFixedWords, arguments.end());
  const std::string& executable = arguments[5];
  if (stack_offset >= 0) FixMemoryLayout(stack_offset, executable, words);
  if (out < 0 || !ExecuteProgram(executable, words, out, &record)) return true;
  const std::string bytes =
      absl::StrCat(absl::string_view(reinterpret_cast<const char*>(&record), sizeof(record)),
                   has_report ? ContentOf(out) : std::string());
  if (WriteResult(*result, bytes).ok()) *status = kExitSuccess;
  return true;
}

}  // namespace duetbench::duet
