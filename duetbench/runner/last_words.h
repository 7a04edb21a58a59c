#ifndef DUETBENCH_RUNNER_LAST_WORDS_H_
#define DUETBENCH_RUNNER_LAST_WORDS_H_

#include <csignal>

namespace duetbench {

// Makes a run that ends its process tell which variant did it: writes an error message
// (EncodeRunError) to `fd` when a thread dies of a signal (SIGSEGV, SIGBUS, SIGFPE, SIGILL,
// SIGABRT, SIGTRAP) or calls exit(). Whoever handled the signal before, a sanitizer say, still gets
// it. Call once, before the run.
void SendLastWordsTo(int fd);

// No more from here on: the result has been sent, or is about to be.
void SilenceLastWords();

// A stack for signal handlers on the calling thread, so that a stack overflow can be told too.
// Leaves what it found (sanitizers have one of their own).
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_;
  stack_t earlier_{};
};

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_LAST_WORDS_H_
