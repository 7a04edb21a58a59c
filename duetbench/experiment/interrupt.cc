#include "duetbench/experiment/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace duetbench {
namespace {

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile std::sig_atomic_t interrupt_signal = 0;
const char* volatile interrupt_message = nullptr;

void OnInterrupt(int number) {
  if (interrupt_signal == 0) interrupt_signal = number;
  const char* const message = interrupt_message;
  if (message == nullptr) return;
  const int error = errno;
  [[maybe_unused]] const ssize_t size = write(STDERR_FILENO, message, std::strlen(message));
  errno = error;
}

}  // namespace

InterruptGuard::InterruptGuard(const char* message) : earlier_message_(interrupt_message) {
  interrupt_message = message;
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < kSignals; ++i) {
    sigaction(kInterrupts[i], nullptr, &earlier_[i]);
    if (earlier_[i].sa_handler != SIG_IGN) sigaction(kInterrupts[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < kSignals; ++i) {
    if (earlier_[i].sa_handler != SIG_IGN) sigaction(kInterrupts[i], &earlier_[i], nullptr);
  }
  interrupt_message = earlier_message_;
}

const volatile std::sig_atomic_t* InterruptSignal() { return &interrupt_signal; }

}  // namespace duetbench
