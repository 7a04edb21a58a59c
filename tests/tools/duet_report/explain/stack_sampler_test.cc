#include "duetbench/measure/stack_sampler.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/sanitized.h"
#include "tools/duet_report/explain/code_names.h"

namespace duetbench {
namespace {

constexpr double kIntervalNs = 100e3;

// Spins until the clock has gone on by `seconds`.
__attribute__((noinline)) void SpinHere(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) benchmark::ClobberMemory();
}

uint64_t Moments(const CountedStacks& stacks) {
  uint64_t count = 0;
  for (const CountedStack& stack : stacks.stacks) count += stack.count;
  return count;
}

TEST(StackSampler, RecordsTheStackOfItsThreadWhileItIsTimed) {
  if (DUETBENCH_TESTS_SANITIZED != 0) GTEST_SKIP() << "sanitizers delay signals";
  StackSampler sampler(kIntervalNs);
  SpinHere(0.05);
  sampler.SetTimed(true);
  SpinHere(0.2);
  sampler.SetTimed(false);
  SpinHere(0.05);
  const CountedStacks stacks = sampler.Take();
  // 2,000 at best; the machine may be busy.
  EXPECT_GE(Moments(stacks), 20u);
  auto names = CodeNames::Load();
  if (!names.ok()) GTEST_SKIP() << names.status();
  uint64_t in_function = 0;
  for (const CountedStack& stack : stacks.stacks) {
    for (const CodePlace& place : stack.places) {
      const NamedFrame& frame = (*names)->FramesAt(stacks.files[place.file], place.address).back();
      if (frame.function.find("SpinHere") == std::string::npos) continue;
      in_function += stack.count;
      break;
    }
  }
  EXPECT_GE(static_cast<double>(in_function), 0.9 * static_cast<double>(Moments(stacks)));
}

TEST(StackSampler, OtherThreadsAreNotRecorded) {
  StackSampler sampler(kIntervalNs);
  std::thread other([] { SpinHere(0.1); });
  other.join();
  EXPECT_EQ(Moments(sampler.Take()), 0u);
}

TEST(StackSampler, NothingAfterItsEndAndWithoutAnInterval) {
  { const StackSampler sampler(kIntervalNs); }
  SpinHere(0.01);
  StackSampler none(0);
  none.SetTimed(true);
  SpinHere(0.01);
  EXPECT_EQ(Moments(none.Take()), 0u);
}

TEST(StackSampler, SystemCallsGoOn) {
  StackSampler sampler(kIntervalNs);
  sampler.SetTimed(true);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&ends] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(write(ends[1], "x", 1), 1);
  });
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 1) << "interrupted by the timer";
  writer.join();
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace duetbench
