#include "duetbench/runner/last_words.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/run_result.h"

namespace duetbench {
namespace {

constexpr size_t kSignalStackBytes = 64 << 10;

struct FatalSignal {
  int number;
  const char* cause;
};
constexpr FatalSignal kFatalSignals[] = {
    {SIGSEGV, "crashed: signal SIGSEGV (segmentation fault)"},
    {SIGBUS, "crashed: signal SIGBUS (bus error)"},
    {SIGFPE, "crashed: signal SIGFPE (arithmetic error)"},
    {SIGILL, "crashed: signal SIGILL (illegal instruction)"},
    {SIGABRT, "aborted: signal SIGABRT (abort, assertion or std::terminate)"},
    {SIGTRAP, "crashed: signal SIGTRAP (trap)"},
};
constexpr int kSignals = sizeof(kFatalSignals) / sizeof(kFatalSignals[0]);

// The descriptor, or -1. Whoever takes it speaks; the other thread may crash at the same moment.
std::atomic<int> last_words_fd{-1};
std::atomic<bool> all_is_said{true};
struct sigaction earlier_actions[kSignals];

void Speak(const char* cause) {
  const int fd = last_words_fd.exchange(-1);
  if (fd < 0) {
    // While the other thread speaks, this one must not end the process: for at most a second.
    const timespec millisecond = {0, 1'000'000};
    for (int i = 0; i < 1000 && !all_is_said; ++i) nanosleep(&millisecond, nullptr);
    return;
  }
  char message[kMostErrorBytes];
  const int length = EncodeRunError(VariantOfThisThread(), cause, message);
  const ssize_t written = write(fd, message, static_cast<size_t>(length));
  static_cast<void>(written);  // where nobody reads, there is no help
  all_is_said = true;
}

void OnFatalSignal(int number, siginfo_t* info, void*) {
  for (int i = 0; i < kSignals; ++i) {
    if (kFatalSignals[i].number != number) continue;
    Speak(kFatalSignals[i].cause);
    sigaction(number, &earlier_actions[i], nullptr);
  }
  // A fault happens again on return and meets the earlier action; one that was sent does not.
  // Nor does a trap, which is reported behind its instruction.
  if (info->si_code <= 0 || number == SIGTRAP) raise(number);
}

void OnExit() {
  // Between variants exit() is the business of whoever calls it.
  if (VariantOfThisThread() >= 0) Speak("called exit()");
}

}  // namespace

void SendLastWordsTo(int fd) {
  all_is_said = false;
  last_words_fd = fd;
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction action {};
    action.sa_sigaction = OnFatalSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(kFatalSignals[i].number, &action, &earlier_actions[i]);
  }
  std::atexit(OnExit);
}

void SilenceLastWords() {
  last_words_fd = -1;
  all_is_said = true;
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

}  // namespace duetbench
