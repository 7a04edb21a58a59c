#ifndef DUETBENCH_PLATFORM_EXIT_STATUS_H_
#define DUETBENCH_PLATFORM_EXIT_STATUS_H_

// Users' headers include this one: it includes nothing.
namespace duetbench {

// The exit statuses of a program with duet benchmarks. Whatever was demanded and not measured is no
// success.
enum ExitStatus {
  kExitSuccess = 0,     // everything was measured, and every gate holds
  kExitGateFailed = 1,  // a gate failed, and nothing else went wrong
  // A benchmark failed or could not be measured, nothing matched the filter, an output could not be
  // written, wrong usage.
  kExitError = 2,
  // No gate failed, but one is undecided, its variants asked not to be measured, or --duet_budget
  // had no time for a duet; ctest and automake report 'skipped'. (--duet_inconclusive changes it.)
  kExitSkipped = 77,
  // A signal came: 128 + its number, as shells have it. What was measured before is reported.
  kExitHangUp = 129,       // SIGHUP
  kExitInterrupted = 130,  // SIGINT
  kExitQuit = 131,         // SIGQUIT
  kExitTerminated = 143,   // SIGTERM
};

constexpr ExitStatus ExitStatusOfSignal(int signal) {
  return static_cast<ExitStatus>(128 + signal);
}

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_EXIT_STATUS_H_
