#ifndef DUETBENCH_EXPERIMENT_INTERRUPT_H_
#define DUETBENCH_EXPERIMENT_INTERRUPT_H_

#include <csignal>

// The signals that ask a program to end: SIGINT, SIGTERM, SIGHUP and SIGQUIT. What has been
// measured when one comes is reported.
namespace duetbench {

// While one lives, the first of these signals is remembered and does nothing else. The second one
// of the same number ends the program, as what is measured in this process cannot be ended from
// outside. Signals that are ignored when it is constructed stay so, as nohup and `command &` in a
// script want it. They may be nested.
class InterruptGuard {
 public:
  // `message`, which may be null, is written to stderr when the signal comes; a string literal.
  explicit InterruptGuard(const char* message = nullptr);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  static constexpr int kSignals = 4;

  const char* const earlier_message_;
  struct sigaction earlier_[kSignals] {};
};

// The number of the signal that came; 0: none did. Never null.
const volatile std::sig_atomic_t* InterruptSignal();

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_INTERRUPT_H_
