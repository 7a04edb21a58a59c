#include "duetbench/platform/crash_report.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>

#include "duetbench/platform/subprocess.h"

// The user's code may be instrumented where this library is not: the linker tells.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __gcov_init(void*);
__attribute__((weak)) void llvm_gcov_init();
__attribute__((weak)) int __llvm_profile_write_file();
__attribute__((weak)) void __lsan_do_leak_check();
__attribute__((weak)) void __msan_init();
__attribute__((weak)) void __tsan_init();
__attribute__((weak)) void __ubsan_handle_add_overflow();
}

namespace duetbench {
namespace {

constexpr size_t kSignalStackBytes = 64 << 10;

constexpr struct {
  int number;
  const char* cause;
} kFatalSignals[] = {
    {SIGSEGV, "crashed: signal SIGSEGV (segmentation fault)"},
    {SIGBUS, "crashed: signal SIGBUS (bus error)"},
    {SIGFPE, "crashed: signal SIGFPE (arithmetic error)"},
    {SIGILL, "crashed: signal SIGILL (illegal instruction)"},
    {SIGABRT, "aborted: signal SIGABRT (abort, assertion or std::terminate)"},
    {SIGTRAP, "crashed: signal SIGTRAP (trap)"},
};
constexpr int kSignals = sizeof(kFatalSignals) / sizeof(kFatalSignals[0]);

CrashReporter reporter;
// In memory that the children share which this process forks: there is one report of all of them.
struct Flags {
  // The thread that clears it writes the report; the other one may crash at the same moment.
  std::atomic<bool> enabled{false};
  std::atomic<bool> written{true};
};
static_assert(std::atomic<bool>::is_always_lock_free);
Flags own_flags;
Flags* flags = &own_flags;
struct sigaction earlier_actions[kSignals];

// True if the calling thread is the one that writes to the pipe: a report, or the result. Otherwise
// returns false when the report has been written, or after a second: the caller then ends the
// process.
bool IsFirst() {
  if (flags->enabled.exchange(false)) return true;
  const timespec millisecond = {0, 1'000'000};
  for (int i = 0; i < 1000 && !flags->written; ++i) nanosleep(&millisecond, nullptr);
  return false;
}

void Report(const char* cause) {
  if (!IsFirst()) return;
  char report[kMaxCrashReportBytes];
  // A variant may have closed the descriptor, and opened another file with its number.
  if (!IsResultDescriptor(reporter.fd)) {
    flags->written = true;
    return;
  }
  const int length = reporter.encode(reporter.variant_of_this_thread(), cause, report);
  // If the parent does not read any more, nothing can be done.
  [[maybe_unused]] const ssize_t size = write(reporter.fd, report, static_cast<size_t>(length));
  flags->written = true;
}

void OnFatalSignal(int number, siginfo_t* info, void*) {
  for (int i = 0; i < kSignals; ++i) {
    if (kFatalSignals[i].number != number) continue;
    Report(kFatalSignals[i].cause);
    sigaction(number, &earlier_actions[i], nullptr);
  }
  // A fault happens again on return and then meets the earlier action. A signal that was sent does
  // not, nor does a trap, which is reported behind its instruction.
  if (info->si_code <= 0 || number == SIGTRAP) raise(number);
}

void OnExit() {
  // Outside of variants a program may call exit() as it likes.
  if (flags->enabled && reporter.variant_of_this_thread() >= 0) Report("called exit()");
}

}  // namespace

void EnableCrashReports(const CrashReporter& how) {
  reporter = how;
  void* const shared =
      mmap(nullptr, sizeof(Flags), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) flags = new (shared) Flags;
  flags->written = false;
  flags->enabled = true;
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction action {};
    action.sa_sigaction = OnFatalSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(kFatalSignals[i].number, &action, &earlier_actions[i]);
  }
  std::atexit(OnExit);
}

bool DisableCrashReports() {
  if (!IsFirst()) return false;
  flags->written = true;
  return true;
}

SignalStack::SignalStack()
    : memory_(mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0)) {
  if (memory_ == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, &earlier_);
}

SignalStack::~SignalStack() {
  if (memory_ == MAP_FAILED) return;
  sigaltstack(&earlier_, nullptr);
  munmap(memory_, kSignalStackBytes);
}

int ThreadsOfSanitizer() { return __tsan_init != nullptr ? 1 : 0; }

const char* NameOfSanitizer() {
  if (__asan_init != nullptr) return "AddressSanitizer";
  if (__tsan_init != nullptr) return "ThreadSanitizer";
  if (__msan_init != nullptr) return "MemorySanitizer";
  if (__ubsan_handle_add_overflow != nullptr) return "UndefinedBehaviorSanitizer";
  return __lsan_do_leak_check != nullptr ? "LeakSanitizer" : "";
}

bool HasSanitizer() { return *NameOfSanitizer() != '\0'; }

bool ReportsAtExit() {
  return HasSanitizer() || __gcov_init != nullptr || llvm_gcov_init != nullptr ||
         __llvm_profile_write_file != nullptr;
}

}  // namespace duetbench
