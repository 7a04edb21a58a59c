// The real kernel: software events everywhere, hardware events where there is a PMU.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <thread>

#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/survey.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

// Touches fresh pages; each is a page fault.
void TouchFreshPages(size_t pages) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = pages * page_bytes;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < bytes; i += page_bytes) static_cast<volatile char*>(memory)[i] = 1;
  munmap(memory, bytes);
}

TEST(LinuxCounters, PageFaultsOfTheCallingThreadAlone) {
  if (!ReadEnvironment("").sanitizer.empty()) {
    GTEST_SKIP() << "sanitizers touch further pages";
  }
  const EventCode code = SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS);
  CounterSet counters(&LinuxPerf(), &code, 1);
  if (counters.error(0) != 0) {
    GTEST_SKIP() << WhyRefused(code, counters.error(0), ReadPerfSurroundings(""));
  }
  counters.Enable();
  counters.Start();
  TouchFreshPages(1000);
  counters.Stop();
  ASSERT_TRUE(counters.count(0).counted);
  EXPECT_GE(counters.count(0).value, 1000);
  EXPECT_LE(counters.count(0).value, 1010);
  counters.Start();
  std::thread(TouchFreshPages, 3000).join();
  counters.Stop();
  EXPECT_LT(counters.count(0).value, 1000) << "another thread is not counted";
  counters.Disable();
}

TEST(LinuxCounters, EveryEventOfAGroupCountsEachTimeItIsEnabled) {
  const EventCode codes[] = {SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS),
                             SoftwareCode(PERF_COUNT_SW_TASK_CLOCK)};
  CounterSet counters(&LinuxPerf(), codes, 2);
  for (size_t event = 0; event < 2; ++event) {
    if (counters.error(event) != 0) {
      GTEST_SKIP() << WhyRefused(codes[event], counters.error(event), ReadPerfSurroundings(""));
    }
  }
  for (int i = 0; i < 4; ++i) {
    counters.Enable();
    counters.Start();
    TouchFreshPages(100);
    counters.Stop();
    counters.Disable();
    ASSERT_TRUE(counters.count(0).counted);
    ASSERT_TRUE(counters.count(1).counted);
    EXPECT_GE(counters.count(0).value, 100) << i;
    EXPECT_GT(counters.count(1).value, 1000) << "nanoseconds, time " << i;
  }
}

TEST(LinuxCounters, InstructionsOfALoopOfKnownLength) {
  const EventCode code = HardwareCode(PERF_COUNT_HW_INSTRUCTIONS);
  CounterSet counters(&LinuxPerf(), &code, 1);
  if (counters.error(0) != 0) {
    GTEST_SKIP() << WhyRefused(code, counters.error(0), ReadPerfSurroundings(""));
  }
  constexpr double kSteps = 1e6;
  counters.Enable();
  counters.Start();
  // One addition, one comparison (or none), one branch a step at any optimisation of the rest.
  auto left = static_cast<uint64_t>(kSteps);
#if defined(__x86_64__)
  asm volatile("1:\n\tsubq $1, %0\n\tjnz 1b" : "+r"(left) : : "cc");
  constexpr double kInstructions = 2 * kSteps;
#elif defined(__aarch64__)
  asm volatile("1:\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
  constexpr double kInstructions = 2 * kSteps;
#endif
  counters.Stop();
  counters.Disable();
  ASSERT_TRUE(counters.count(0).counted) << "the group never got onto the PMU";
  EXPECT_NEAR(counters.count(0).value, kInstructions, 0.01 * kInstructions);
}

}  // namespace
}  // namespace duetbench
