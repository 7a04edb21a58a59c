#include "duetbench/measure/duet_run.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

// Which thread called, whether it was fresh, and what its stack looked like.
struct Visit {
  int variant;
  pid_t thread;
  bool fresh;
  uintptr_t stack_in_page;
};

class Visits {
 public:
  // Not inlined, as the variants must not differ in what they put on the stack.
  __attribute__((noinline)) void Add(int variant) {
    thread_local int uses = 0;
    const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const std::lock_guard<std::mutex> lock(mutex_);
    visits_.push_back({variant, gettid(), uses++ == 0, frame % 4096});
  }
  std::vector<Visit> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::move(visits_);
  }

 private:
  std::mutex mutex_;
  std::vector<Visit> visits_;
};

class Visitor {
 public:
  Visitor(Visits* visits, int variant) : visits_(visits), variant_(variant) {}
  void operator()(State& state) const {
    visits_->Add(variant_);
    WorkLoop(state);
  }

 private:
  Visits* visits_;
  int variant_;
};

TEST(ExecuteRun, EachVariantHasAFreshThreadOfItsOwn) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    Visits visits;
    ASSERT_EQ(Execute(ShortPlan(schedule), Visitor(&visits, 0), Visitor(&visits, 1)).error.cause,
              "");
    const std::vector<Visit> seen = visits.Take();
    ASSERT_EQ(seen.size(), 2u) << "each is set up once";
    EXPECT_NE(seen[0].variant, seen[1].variant);
    std::set<pid_t> threads = {gettid()};
    for (const Visit& visit : seen) {
      threads.insert(visit.thread);
      EXPECT_TRUE(visit.fresh);
    }
    EXPECT_EQ(threads.size(), 3u);
  }
}

__attribute__((noinline)) void UseStack(size_t bytes) {
  auto* block = static_cast<char*>(__builtin_alloca(bytes));
  for (size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  benchmark::DoNotOptimize(block);
}

// glibc gives threads 2 MiB where the main thread has no limit.
TEST(ExecuteRun, AVariantHasAsMuchStackAsTheMainThread) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have their own stacks";
  rlimit earlier{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &earlier), 0);
  if (earlier.rlim_max != RLIM_INFINITY) GTEST_SKIP() << "the limit cannot be raised";
  const auto uses_stack = [](State& state) {
    UseStack(size_t{40} << 20);
    WorkLoop(state);
  };
  for (const rlim_t limit : {RLIM_INFINITY, rlim_t{48} << 20}) {
    rlimit changed = earlier;
    changed.rlim_cur = limit;
    ASSERT_EQ(setrlimit(RLIMIT_STACK, &changed), 0);
    for (const uint32_t in_processes : {0u, 1u}) {
      RunPlan plan = ShortPlan();
      plan.in_processes = in_processes;
      EXPECT_EQ(Execute(plan, uses_stack, uses_stack).error.cause, "") << limit;
    }
  }
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &earlier), 0);
}

// Both variants of a run have the same layout, so that it cancels in the ratio; other runs have
// others.
TEST(ExecuteRun, TheStackIsMovedAlikeOnBothSidesAndAnewInEveryRun) {
  RunPlan plan = ShortPlan();
  std::set<uintptr_t> offsets;
  for (plan.run = 0; plan.run < 8; ++plan.run) {
    Visits visits;
    ASSERT_EQ(Execute(plan, Visitor(&visits, 0), Visitor(&visits, 1)).error.cause, "");
    const std::vector<Visit> seen = visits.Take();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].stack_in_page, seen[1].stack_in_page);
    offsets.insert(seen[0].stack_in_page);
  }
  EXPECT_GE(offsets.size(), 5u);
}

TEST(ExecuteRun, TimesTheFirstIterationByItself) {
  RunPlan plan = ShortPlan();
  plan.batch = 100;
  plan.sample_ns = 50e3;
  const RunResult result = Execute(plan, WorkLoop, [](State& state) {
    bool is_first = true;
    for (auto _ : state) {
      state.PauseTiming();
      if (is_first) std::this_thread::sleep_for(std::chrono::milliseconds(300));
      state.ResumeTiming();
      if (is_first) SpinNs(10e6);
      is_first = false;
      Work();
    }
  });
  ASSERT_EQ(result.error.cause, "");
  for (const FirstIteration& first : result.first_iteration) EXPECT_EQ(first.iterations, 1u);
  EXPECT_GE(result.first_iteration[1].ns, 10e6 * 0.99);
  EXPECT_LT(result.first_iteration[1].ns, 300e6) << "without its pause";
  EXPECT_LT(result.first_iteration[0].ns, result.first_iteration[1].ns);
}

TEST(ExecuteRun, KnowsWhoseCodeAThreadExecutes) {
  std::atomic<int> seen[2] = {{-9}, {-9}};
  const auto variant = [&seen](int number) {
    return [&seen, number](State& state) {
      seen[number] = VariantOfThisThread();
      WorkLoop(state);
    };
  };
  EXPECT_EQ(Execute(ShortPlan(), variant(0), variant(1)).error.cause, "");
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
  EXPECT_EQ(VariantOfThisThread(), -1);
}

TEST(ExecuteRun, TellsHowLongItTook) {
  const RunResult result = Execute(
      ShortPlan(),
      [](State& state) {
        SpinNs(3e6);
        WorkLoop(state);
      },
      [](State& state) {
        SpinNs(4e6);
        WorkLoop(state);
      });
  EXPECT_GE(result.set_up_ns, 7e6 * 0.99);
  EXPECT_GE(result.wall_ns, result.set_up_ns);
}

TEST(ExecuteRun, TurnsAreOnTheCpuWhereTheRunWasStarted) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  ASSERT_TRUE(allowed.ok());
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.cpus[0] = plan.cpus[1] = (*allowed)[0];
  plan.other_cpu = (*allowed)[1];
  for (const int cpu : {plan.cpus[0], plan.other_cpu}) {
    bool waited = false;
    RunResult result;
    std::thread([&] {  // of a new thread nothing has waited yet
      ASSERT_TRUE(PinThisThread(cpu).ok());
      waited = SchedulingTimesOf("thread-self").waiting_share() > 0.1;
      result = Execute(plan, WorkLoop, WorkLoop);
    })
        .join();
    ASSERT_EQ(result.error.cause, "");
    ASSERT_FALSE(result.pairs.empty());
    for (const PairRecord& pair : result.pairs) {
      EXPECT_EQ(pair.cpus[0], pair.cpus[1]);
      EXPECT_TRUE(waited || pair.cpus[0] == cpu) << pair.cpus[0];
    }
  }
}

TEST(ExecuteRun, ThreadsThatAVariantStartsAreCounted) {
  RunPlan plan = ShortPlan();
  plan.watch_threads = 1;
  plan.budget_ns = 50e6;
  EXPECT_EQ(Execute(plan, WorkLoop, WorkLoop).started_threads[kEitherVariant], 0);
  const RunResult result = Execute(plan, WorkLoop, [](State& state) {
    std::atomic<bool> ends{false};
    const auto wait = [&ends] {
      while (!ends) usleep(1000);
    };
    std::thread threads[] = {std::thread(wait), std::thread(wait)};
    for (auto _ : state) Work();
    ends = true;
    for (std::thread& thread : threads) thread.join();
  });
  ASSERT_EQ(result.error.cause, "");
  EXPECT_GE(result.started_threads[kEitherVariant], 1);
}

TEST(ExecuteRun, ACpuThatCannotBeHadIsANotice) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.cpus[0] = plan.cpus[1] = 100'000;
  const RunResult result = Measured(plan, WorkLoop, WorkLoop);
  EXPECT_FALSE(result.pairs.empty());
  EXPECT_THAT(result.notice, HasSubstr("100000"));
}

TEST(ExecuteRun, WhereBothFailOneOfThemIsNamed) {
  const auto throws = [](State& state) {
    int n = 0;
    for (auto _ : state) {
      if (++n == 10) throw std::runtime_error("both");
    }
  };
  const RunResult result = Execute(ShortPlan(), throws, throws);
  EXPECT_GE(result.error.variant, 0);
  EXPECT_EQ(result.error.cause, "threw std::runtime_error: both");
}

TEST(ExecuteRun, ManyRunsInOneProcessAreFine) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 1e6;
  for (plan.run = 0; plan.run < 40; ++plan.run) {
    plan.schedule = plan.run % 2 == 0 ? Schedule::kDuet : Schedule::kInterleaved;
    const RunResult result = Measured(plan, WorkLoop, WorkLoop);
    EXPECT_FALSE(result.pairs.empty());
  }
}

// In a separate process, where threads need more memory than there is.
[[maybe_unused]] void RunWithoutThreads(size_t stacks) {
  constexpr size_t kStack = size_t{256} << 20;
  const RunPlan plan = ShortPlan();
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<size_t>(getpagesize()) + stacks * kStack + kStack / 2;
  const rlimit address_space = {limit, limit};
  // Threads get as much stack as the main thread may use.
  const rlimit stack = {kStack, kStack};
  if (setrlimit(RLIMIT_STACK, &stack) != 0 || setrlimit(RLIMIT_AS, &address_space) != 0) _exit(2);
  const RunResult result = ExecuteRun(plan, {{MakeVariant(WorkLoop), MakeVariant(WorkLoop)}, {}});
  std::fprintf(stderr, "%s\n", result.error.cause.c_str());
  _exit(0);
}

TEST(ExecuteRunDeathTest, ThreadsThatCannotBeStartedAreAnError) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve more address space with every thread";
  EXPECT_EXIT(RunWithoutThreads(0), testing::ExitedWithCode(0), "no thread can be started");
  EXPECT_EXIT(RunWithoutThreads(1), testing::ExitedWithCode(0), "no thread can be started");
}

}  // namespace
}  // namespace duetbench
