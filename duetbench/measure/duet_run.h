#ifndef DUETBENCH_MEASURE_DUET_RUN_H_
#define DUETBENCH_MEASURE_DUET_RUN_H_

#include "duetbench/measure/run_record.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

struct SharedRun;

// True if each loop can have a process: the calling process has one thread, so a fork loses
// nothing. False if the system does not tell.
bool CanForkLoops();

// Executes the loops of a run in this process, or those of the variant `side`, while the calling
// thread sleeps: each loop on a fresh thread, or with plan.in_processes on the main thread of a
// process that is forked from this one, if this one has no other thread. With a side, `shared` is
// memory that all processes of the run map, zeros at first. Whatever the variants do short of
// ending the process comes back in the record. An error of the process (Setup threw, no thread
// could be started) means that the processes of other sides may wait for ever.
//
// With plan.check_equal nothing is timed: what the variants return is compared here, or else what
// they report by RunsOf (run_record.h).
//
// With plan.timeout_ns a run that takes longer comes back `stuck`; its threads go on, and the
// caller must end the process.
RunRecord ExecutePart(const RunPlan& plan, const DuetFunctions& functions, int side = -1,
                      SharedRun* shared = nullptr);

// The variant whose code the calling thread executes: 0, 1, or -1 outside of variants. Safe in
// signal handlers.
int VariantOfThisThread();

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_DUET_RUN_H_
