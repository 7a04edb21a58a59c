#ifndef DUETBENCH_COUNTERS_KERNEL_ABI_H_
#define DUETBENCH_COUNTERS_KERNEL_ABI_H_

// The numbers of events and the page of a counter, as Linux defines them. They are needed on every
// system: names of events are interpreted, and the reading of counters is tested, everywhere.

#include "duetbench/platform/fallback.h"

#if !DUETBENCH_FALLBACK
#include <linux/perf_event.h>
#else

#include <cstdint>

// The part of linux/perf_event.h that is used, under the same names. The numbers are an ABI and
// never change.

enum perf_type_id {
  PERF_TYPE_HARDWARE = 0,
  PERF_TYPE_SOFTWARE = 1,
  PERF_TYPE_TRACEPOINT = 2,
  PERF_TYPE_HW_CACHE = 3,
  PERF_TYPE_RAW = 4,
  PERF_TYPE_BREAKPOINT = 5,
};

enum perf_hw_id {
  PERF_COUNT_HW_CPU_CYCLES = 0,
  PERF_COUNT_HW_INSTRUCTIONS = 1,
  PERF_COUNT_HW_CACHE_REFERENCES = 2,
  PERF_COUNT_HW_CACHE_MISSES = 3,
  PERF_COUNT_HW_BRANCH_INSTRUCTIONS = 4,
  PERF_COUNT_HW_BRANCH_MISSES = 5,
};

enum perf_hw_cache_id {
  PERF_COUNT_HW_CACHE_L1D = 0,
  PERF_COUNT_HW_CACHE_BPU = 5,
};

enum perf_hw_cache_op_result_id {
  PERF_COUNT_HW_CACHE_RESULT_MISS = 1,
};

enum perf_sw_ids {
  PERF_COUNT_SW_TASK_CLOCK = 1,
  PERF_COUNT_SW_PAGE_FAULTS = 2,
};

// Not the layout: no kernel maps it here.
struct perf_event_mmap_page {
  uint32_t lock;
  uint32_t index;
  int64_t offset;
  uint64_t time_enabled;
  uint64_t time_running;
  uint64_t cap_user_rdpmc;
  uint16_t pmc_width;
};

#endif

#endif  // DUETBENCH_COUNTERS_KERNEL_ABI_H_
