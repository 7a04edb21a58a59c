#include "duetbench/platform/thread.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(ExecuteBeside, HasAnotherCpuThanTheProcess) {
  const std::vector<int> allowed = AllowedCpus().value();
  if (allowed.size() < 2) GTEST_SKIP() << "there is one CPU";
  std::thread([&] {
    for (int i = 0; i < 20; ++i) {
      ExecuteBeside(getpid(), [] {  // whose main thread waits
        EXPECT_NE(std::to_string(CurrentCpu()), StatWords("/proc/self").at(36));
      });
      EXPECT_EQ(AllowedCpus().value(), allowed) << "as before";
    }
  }).join();
}

TEST(Affinity, PinsToEachAllowedCpu) {
  const auto allowed = AllowedCpus();
  ASSERT_TRUE(allowed.ok()) << allowed.status();
  ASSERT_FALSE(allowed->empty());
  std::thread([&] {
    for (const int cpu : *allowed) {
      const absl::Status pinned = PinThisThread(cpu);
      ASSERT_TRUE(pinned.ok()) << pinned;
      EXPECT_EQ(CurrentCpu(), cpu);
    }
  }).join();
}

size_t DefaultStack() {
  pthread_attr_t attributes;
  size_t bytes = 0;
  EXPECT_EQ(pthread_getattr_default_np(&attributes), 0);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

TEST(StacksOfMainThread, AreThatOfTheLimitOrSixtyFourMegabytes) {
  rlimit earlier{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &earlier), 0);
  const size_t before = DefaultStack();
  for (const rlim_t limit : {rlim_t{3} << 20, earlier.rlim_max}) {
    rlimit changed = earlier;
    changed.rlim_cur = limit;
    ASSERT_EQ(setrlimit(RLIMIT_STACK, &changed), 0);
    const rlim_t expected = limit == RLIM_INFINITY ? rlim_t{64} << 20 : limit;
    WithStacksOfMainThread([&] { EXPECT_EQ(DefaultStack(), expected); });
  }
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &earlier), 0);
  EXPECT_EQ(DefaultStack(), before);
}

TEST(Affinity, NamesTheCpuThatCannotBeUsed) {
  const absl::Status status = PinThisThread(12345);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("CPU 12345"));
}

// Two threads that never sleep share a CPU: each waits for half of its time.
TEST(ThreadUsage, TellsHowLongAThreadHasWaitedForItsCpu) {
  if (!ReadTextFile("/proc/thread-self/schedstat").has_value()) {
    GTEST_SKIP() << "it is not counted here";
  }
  const auto allowed = AllowedCpus();
  ASSERT_TRUE(allowed.ok()) << allowed.status();
  double share[2] = {0, 0};
  const auto spin = [&](int thread) {
    ASSERT_TRUE(PinThisThread(allowed->front()).ok());
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
    share[thread] = SchedulingTimesOf("thread-self").waiting_share();
  };
  std::thread other(spin, 1);
  std::thread(spin, 0).join();
  other.join();
  EXPECT_GT(share[0] + share[1], 0.4);
  EXPECT_LT(share[0], 1);
  EXPECT_LT(share[1], 1);
}

TEST(ThreadUsage, CountsBlockingAndPageFaultsOfTheCallingThreadOnly) {
  uint64_t faults_of_thread = 0;
  const ThreadUsage before = ThisThreadUsage();
  std::thread([&faults_of_thread] {
    const ThreadUsage start = ThisThreadUsage();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    constexpr size_t kPages = 5000;  // far more than starting a thread takes, sanitizers included
    constexpr size_t kBytes = kPages * 4096;
    void* memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    madvise(memory, kBytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < kBytes; i += 4096) static_cast<volatile char*>(memory)[i] = 1;
    const ThreadUsage end = ThisThreadUsage();
    munmap(memory, kBytes);
    EXPECT_GE(end.voluntary_switches - start.voluntary_switches, 1u);
    EXPECT_GE(end.minor_faults - start.minor_faults, kPages);
    faults_of_thread = end.minor_faults - start.minor_faults;
  }).join();
  EXPECT_LT(ThisThreadUsage().minor_faults - before.minor_faults, faults_of_thread / 2);
}

TEST(ConfineThisThread, ToTheFirstOfItsCpus) {
  std::thread([] {
    const std::vector<int> allowed = AllowedCpus().value();
    const int last[2] = {allowed.back(), allowed.back()};
    const absl::Status many = ConfineThisThread(last, 100'000);
    EXPECT_THAT(std::string(many.message()),
                ::testing::HasSubstr("this process may use " + std::to_string(allowed.size())));
    EXPECT_EQ(AllowedCpus().value(), allowed);
    EXPECT_TRUE(ConfineThisThread(last, 1).ok());
    EXPECT_EQ(AllowedCpus().value(), std::vector<int>{allowed.back()});
  }).join();
}

}  // namespace
}  // namespace duetbench
