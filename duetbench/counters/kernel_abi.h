#ifndef DUETBENCH_COUNTERS_KERNEL_ABI_H_
#define DUETBENCH_COUNTERS_KERNEL_ABI_H_

// The numbers of events and the page of a counter, as Linux defines them: what a name stands for is
// known everywhere, and what is known about reading a counter can be tested everywhere.

#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS
#include "duetbench/counters/kernel_abi_portable.h"
#else
#include <linux/perf_event.h>
#endif

#endif  // DUETBENCH_COUNTERS_KERNEL_ABI_H_
