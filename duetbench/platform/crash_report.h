#ifndef DUETBENCH_PLATFORM_CRASH_REPORT_H_
#define DUETBENCH_PLATFORM_CRASH_REPORT_H_

#include <csignal>

namespace duetbench {

inline constexpr int kMaxCrashReportBytes = 512;

// Reports the end of the process. Both functions are called in signal handlers: they must neither
// allocate nor lock.
struct CrashReporter {
  int fd = -1;  // of TakeResultDescriptor (subprocess.h), to which the report is written
  // The variant that the calling thread executes: 0 or 1; -1 for none.
  int (*variant_of_this_thread)() = nullptr;
  // Encodes a report into `buffer` of kMaxCrashReportBytes and returns its length. `cause` reads
  // "crashed: signal SIGSEGV (segmentation fault)".
  int (*encode)(int variant, const char* cause, char* buffer) = nullptr;
};

// From now on writes one report when a thread dies of a signal (SIGSEGV, SIGBUS, SIGFPE, SIGILL,
// SIGABRT, SIGTRAP), or calls exit() while it executes a variant. A handler that was installed
// before, such as a sanitizer's, is called afterwards. It holds for the processes too that this one
// forks, and there is one report of all together. Call once in a process.
void EnableCrashReports(const CrashReporter& reporter);

// From now on writes none: the caller is about to write the result. False if a report was written
// already: another thread is ending the process.
bool DisableCrashReports();

// A stack for signal handlers on the calling thread, without which a stack overflow could not be
// reported. Restores the earlier one at its end (sanitizers have their own).
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

// The sanitizer whose runtime this program contains (the first of address, thread, memory,
// undefined behaviour, leak); "": none. Its messages, and what it checks at exit, must not be lost.
const char* NameOfSanitizer();
bool HasSanitizer();

// True if this program contains the runtime of a sanitizer or of a profile (--coverage,
// -fprofile-generate), which write what they have counted at exit.
bool ReportsAtExit();

// The threads that a sanitizer starts in each forked process: 1 with ThreadSanitizer, else 0.
int ThreadsOfSanitizer();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CRASH_REPORT_H_
