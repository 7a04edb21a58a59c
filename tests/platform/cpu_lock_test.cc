#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "duetbench/platform/cpu_pair.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;

pid_t InProcess(const std::function<void()>& body) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  body();
  _exit(0);
}

void AwaitEnd(pid_t pid) { waitpid(pid, nullptr, 0); }

// State that the processes of a test share.
struct Shared {
  std::atomic<int> holders{0};
  std::atomic<int> most_holders{0};
  std::atomic<int> done{0};
  std::atomic<bool> locked{false};
  std::atomic<pid_t> daemon{0};
};

class CpuLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const int cpu : {0, 1}) std::filesystem::create_directories(FolderOf(cpu));
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = new (memory) Shared;
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string FolderOf(int cpu) const { return folder_ + "/cpu" + std::to_string(cpu); }

  std::unique_ptr<CpuLock> Lock(
      std::vector<int> cpus, const std::function<void()>& on_wait = [] {},
      const volatile std::sig_atomic_t* interrupted = nullptr) {
    return CpuLock::Acquire(std::move(cpus), on_wait, interrupted, folder_);
  }

  // A process that locks `cpu` and then calls `body`, once it has the lock.
  pid_t Holder(int cpu, const std::function<void()>& body) {
    const pid_t pid = InProcess([&] {
      const auto lock = Lock({cpu});
      shared_->locked = true;
      body();
    });
    while (!shared_->locked) std::this_thread::sleep_for(milliseconds(1));
    return pid;
  }

  // True if it waits until it has the lock of `cpu`.
  bool WaitsFor(int cpu) {
    int waits = 0;
    Lock({cpu}, [&] { ++waits; });
    EXPECT_LE(waits, 1);
    return waits > 0;
  }

  Shared* shared_ = nullptr;
  const std::string folder_ =
      testing::TempDir() + "duetbench_cpu_lock_test." + std::to_string(getpid());
};

constexpr int kCpu = 0;

void SleepForever() {
  for (;;) pause();
}

TEST_F(CpuLockTest, OneCpuForBothVariantsIsNotWaitedFor) {
  volatile std::sig_atomic_t waits = 0;
  const auto lock = Lock(
      {1, 1}, [&] { waits = 1; }, &waits);
  EXPECT_EQ(waits, 0);
}

TEST_F(CpuLockTest, IsFreeAtFirstAndAfterIt) {
  EXPECT_FALSE(WaitsFor(kCpu));
  EXPECT_FALSE(WaitsFor(kCpu));
}

TEST_F(CpuLockTest, IsWaitedForUntilTheHolderIsDone) {
  const pid_t holder = Holder(kCpu, [&] {
    std::this_thread::sleep_for(milliseconds(50));
    shared_->done = 1;
  });
  EXPECT_TRUE(WaitsFor(kCpu));
  EXPECT_EQ(shared_->done, 1);
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, IsFreeWhenTheHolderIsKilled) {
  const pid_t holder = Holder(kCpu, SleepForever);
  std::thread killer([holder] {
    std::this_thread::sleep_for(milliseconds(50));
    kill(holder, SIGKILL);
    AwaitEnd(holder);
  });
  EXPECT_TRUE(WaitsFor(kCpu));
  killer.join();
}

TEST_F(CpuLockTest, OtherCpusAreFree) {
  const pid_t holder = Holder(kCpu, SleepForever);
  EXPECT_FALSE(WaitsFor(kCpu + 1));
  kill(holder, SIGKILL);
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, ADescendantOfTheHolderDoesNotWait) {
  const auto lock = Lock({kCpu});
  EXPECT_FALSE(WaitsFor(kCpu)) << "this process has it";
  const pid_t child = InProcess([&] {
    const pid_t grandchild = InProcess([&] { _exit(WaitsFor(kCpu) ? 1 : 0); });
    int status = -1;
    waitpid(grandchild, &status, 0);
    _exit(WEXITSTATUS(status));
  });
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// A daemon that a variant has started has a copy of the descriptor.
TEST_F(CpuLockTest, ADescendantDoesNotKeepTheLockOfAHolderThatHasEnded) {
  AwaitEnd(Holder(kCpu, [&] { shared_->daemon = InProcess(SleepForever); }));
  EXPECT_FALSE(WaitsFor(kCpu));
  EXPECT_EQ(kill(shared_->daemon, SIGKILL), 0) << "it has lived so long";
}

TEST_F(CpuLockTest, AnInterruptEndsTheWait) {
  const pid_t holder = Holder(kCpu, SleepForever);
  volatile std::sig_atomic_t interrupted = 0;
  Lock(
      {kCpu}, [&] { interrupted = SIGINT; }, &interrupted);
  EXPECT_EQ(kill(holder, SIGKILL), 0) << "it has lived so long";
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, WhatCannotBeLockedIsNotWaitedFor) {
  const pid_t holder = Holder(7, SleepForever);
  EXPECT_FALSE(WaitsFor(7)) << "there is no such CPU";
  kill(holder, SIGKILL);
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, AHundredProgramsAtOnceMeasureOneAtATime) {
  std::vector<pid_t> programs;
  for (int i = 0; i < 100; ++i) {
    programs.push_back(InProcess([&] {
      const auto lock = Lock({0, 1});
      const int holders = ++shared_->holders;
      if (holders > shared_->most_holders) shared_->most_holders = holders;
      std::this_thread::sleep_for(milliseconds(2));
      --shared_->holders;
      ++shared_->done;
    }));
  }
  for (const pid_t program : programs) AwaitEnd(program);
  EXPECT_EQ(shared_->done, 100);
  EXPECT_EQ(shared_->most_holders, 1);
}

}  // namespace
}  // namespace duetbench
