// For LD_PRELOAD: the clock of the day steps by two hours, forward and back, whenever it is read.
// With CLOCK_STEPS=all so does the one that should not, each by decades.
#include <dlfcn.h>
#include <time.h>

#include <atomic>
#include <cstdlib>

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  using ClockGettime = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  static const bool steps_all = std::getenv("CLOCK_STEPS") != nullptr;
  static std::atomic<unsigned> readings{0};
  const int result = real(clock, time);
  const time_t step = steps_all ? 1'000'000'000 : 3600;
  if (clock == CLOCK_REALTIME || (steps_all && clock == CLOCK_MONOTONIC)) {
    time->tv_sec += ++readings % 2 == 0 ? step : -step;
  }
  return result;
}
