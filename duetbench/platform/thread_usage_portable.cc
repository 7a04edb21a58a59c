#include "duetbench/platform/stand_ins.h"
#include "duetbench/platform/thread_usage.h"

#if DUETBENCH_STAND_INS

namespace duetbench {

// POSIX counts preemptions and faults for whole processes only: nothing is counted, and no pair is
// dropped for what was not seen.
ThreadUsage ThisThreadUsage() { return {}; }

bool ThreadUsageIsCounted() { return false; }

}  // namespace duetbench

#endif
