#ifndef DUETBENCH_PLATFORM_STAND_INS_H_
#define DUETBENCH_PLATFORM_STAND_INS_H_

// Whether stand-ins take the place of what only Linux has. Each mechanism has two files that
// compile to one implementation or the other: affinity.cc and affinity_portable.cc, and so on.
//
// The stand-ins need what C++ and POSIX have. With them a program sees one CPU, which it does not
// choose: variants are interleaved. Threads that wait look every 50 µs, time is clock_gettime's,
// and preemptions and faults are not counted.
//
// -DDUETBENCH_PORTABLE (the CMake option of this name) forces them on Linux, for their tests.
#if defined(DUETBENCH_PORTABLE) || !defined(__linux__)
#define DUETBENCH_STAND_INS 1
#else
#define DUETBENCH_STAND_INS 0
#endif

#endif  // DUETBENCH_PLATFORM_STAND_INS_H_
