#ifndef DUETBENCH_PROCESS_EXIT_STATUS_H_
#define DUETBENCH_PROCESS_EXIT_STATUS_H_

// Users' headers include this one: it includes nothing.
namespace duetbench {

// How a program with duet benchmarks ends.
enum ExitStatus {
  kExitSuccess = 0,
  kExitGateFailed = 1,  // a gate failed, and nothing else went wrong
  kExitError = 2,       // a benchmark failed, nothing matched the filter, bad usage
  kExitSkipped = 77,    // no gate failed, but one is inconclusive, with --duet_inconclusive=skip;
                        // ctest and automake report 'skipped'
  kExitInterrupted = 130,  // by SIGINT or SIGTERM: 128 + SIGINT, as shells have it
};

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_EXIT_STATUS_H_
