#ifndef DUETBENCH_EXPERIMENT_DUET_RUN_H_
#define DUETBENCH_EXPERIMENT_DUET_RUN_H_

#include <csignal>

#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/side_result.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

struct SharedRun;

// Executes one run in this process, while the calling thread sleeps: each loop on a fresh thread,
// or with plan.in_processes on the main thread of a process that is forked from this one, if this
// one has no other thread. Whatever the variants do short of ending the process comes back as a
// result; what they throw or report becomes its error.
//
// With plan.check_equal nothing is measured: the result has an error if the variants differ.
//
// With plan.timeout_ns a run that takes longer comes back `stuck`, with an error that says where;
// its threads go on, and the caller must end the process. `interrupted` may be null; when it
// becomes non-zero (set by a signal handler, within 0.1 s) the run comes back stuck, too.
RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions,
                     const volatile std::sig_atomic_t* interrupted = nullptr);

// One side of a run whose variants are executed by two processes: the variant `side`, 0 old or 1
// new. `shared` lies in memory that both processes map, of which they start with zeros. A result
// with an error of its own (Setup threw, no thread could be started) means that the partner may
// wait for ever.
SideResult ExecuteSide(const RunPlan& plan, const DuetFunctions& functions, int side,
                       SharedRun* shared);

// The variant whose code the calling thread executes: 0, 1, or -1 outside of variants. Safe in
// signal handlers.
int VariantOfThisThread();

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_DUET_RUN_H_
