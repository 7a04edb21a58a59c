#include "duetbench/process/cpu_lock.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// CPUs that no machine has and no other test locks.
int ACpu() {
  static int count = 0;
  return 1'000'000 + 1000 * static_cast<int>(getpid()) + count++;
}

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
};

class CpuLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = new (memory) Shared;
  }

  // A process that locks `cpu` and then calls `body`, once it has the lock.
  pid_t Holder(int cpu, const std::function<void()>& body) {
    const pid_t pid = InProcess([&] {
      const auto lock = CpuLock::Acquire(
          {cpu}, [](pid_t) {}, nullptr);
      shared_->locked = true;
      body();
    });
    while (!shared_->locked) std::this_thread::sleep_for(milliseconds(1));
    return pid;
  }

  // The processes that it waits for until it has the lock of `cpu`.
  std::vector<pid_t> WaitsFor(int cpu) {
    std::vector<pid_t> holders;
    CpuLock::Acquire(
        {cpu}, [&](pid_t holder) { holders.push_back(holder); }, nullptr);
    return holders;
  }

  Shared* shared_ = nullptr;
};

void SleepForever() {
  for (;;) pause();
}

TEST_F(CpuLockTest, IsFreeAtFirstAndAfterIt) {
  const int cpu = ACpu();
  EXPECT_THAT(WaitsFor(cpu), IsEmpty());
  EXPECT_THAT(WaitsFor(cpu), IsEmpty());
}

TEST_F(CpuLockTest, IsWaitedForUntilTheHolderIsDone) {
  const int cpu = ACpu();
  const pid_t holder = Holder(cpu, [&] {
    std::this_thread::sleep_for(milliseconds(50));
    shared_->done = 1;
  });
  EXPECT_THAT(WaitsFor(cpu), ElementsAre(holder));
  EXPECT_EQ(shared_->done, 1);
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, IsFreeWhenTheHolderIsKilled) {
  const int cpu = ACpu();
  const pid_t holder = Holder(cpu, SleepForever);
  std::thread killer([holder] {
    std::this_thread::sleep_for(milliseconds(50));
    kill(holder, SIGKILL);
    AwaitEnd(holder);
  });
  EXPECT_THAT(WaitsFor(cpu), ElementsAre(holder));
  killer.join();
}

TEST_F(CpuLockTest, OtherCpusAreFree) {
  const pid_t holder = Holder(ACpu(), SleepForever);
  EXPECT_THAT(WaitsFor(ACpu()), IsEmpty());
  kill(holder, SIGKILL);
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, ADescendantOfTheHolderDoesNotWait) {
  const int cpu = ACpu();
  const auto lock = CpuLock::Acquire(
      {cpu}, [](pid_t) {}, nullptr);
  EXPECT_THAT(WaitsFor(cpu), IsEmpty()) << "this process has it";
  const pid_t child = InProcess([&] {
    const pid_t grandchild = InProcess([&] { _exit(WaitsFor(cpu).empty() ? 0 : 1); });
    int status = -1;
    waitpid(grandchild, &status, 0);
    _exit(WEXITSTATUS(status));
  });
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// A daemon that a variant has started has a copy of the socket.
TEST_F(CpuLockTest, ADescendantDoesNotKeepTheLockOfADeadHolder) {
  const int cpu = ACpu();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t holder = Holder(cpu, [&] {
    const pid_t daemon = InProcess(SleepForever);
    if (write(ends[1], &daemon, sizeof(daemon)) != sizeof(daemon)) _exit(1);
  });
  pid_t daemon = -1;
  ASSERT_EQ(read(ends[0], &daemon, sizeof(daemon)), static_cast<ssize_t>(sizeof(daemon)));
  AwaitEnd(holder);
  const auto lock = CpuLock::Acquire(
      {cpu}, [](pid_t) {}, nullptr);
  EXPECT_EQ(kill(daemon, SIGKILL), 0) << "it has lived so long";
  close(ends[0]);
  close(ends[1]);
}

TEST_F(CpuLockTest, AnInterruptEndsTheWait) {
  const int cpu = ACpu();
  const pid_t holder = Holder(cpu, SleepForever);
  volatile std::sig_atomic_t interrupted = 0;
  CpuLock::Acquire(
      {cpu}, [&](pid_t) { interrupted = SIGINT; }, &interrupted);
  EXPECT_EQ(kill(holder, SIGKILL), 0) << "it has lived so long";
  AwaitEnd(holder);
}

TEST_F(CpuLockTest, AHundredProgramsAtOnceMeasureOneAtATime) {
  const int cpu = ACpu();
  std::vector<pid_t> programs;
  for (int i = 0; i < 100; ++i) {
    programs.push_back(InProcess([&] {
      const auto lock = CpuLock::Acquire(
          {cpu, cpu + 1}, [](pid_t) {}, nullptr);
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
