#ifndef DUETBENCH_PLATFORM_FALLBACK_H_
#define DUETBENCH_PLATFORM_FALLBACK_H_

// Defines DUETBENCH_FALLBACK if fallbacks replace the mechanisms that only Linux has: those of
// fallback.cc here, and those of the counters (perf_system.cc, kernel_abi.h).
//
// The fallbacks need C++ and POSIX only. With them a program sees one CPU and cannot pin threads:
// variants are interleaved. Waiting threads look every 50 µs, the clock is clock_gettime, and
// preemptions and page faults are not counted.
//
// -DDUETBENCH_PORTABLE (the CMake option of this name) forces them on Linux, for their tests.
#if defined(DUETBENCH_PORTABLE) || !defined(__linux__)
#define DUETBENCH_FALLBACK 1
#else
#define DUETBENCH_FALLBACK 0
#endif

#endif  // DUETBENCH_PLATFORM_FALLBACK_H_
