// For LD_PRELOAD: the clock of the day steps by two hours, forward and back, whenever it is read.
#include <dlfcn.h>
#include <time.h>

#include <atomic>

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  using ClockGettime = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  static std::atomic<unsigned> readings{0};
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += ++readings % 2 == 0 ? 3600 : -3600;
  return result;
}
