#include "duetbench/measure/variant_threads.h"

#include <atomic>
#include <thread>
#include <vector>

#include "duetbench/platform/process.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// A thread that lives as long as this, and another one that it started.
class TwoThreads {
 public:
  explicit TwoThreads(int variant)
      : outer_([this, variant] {
          if (variant >= 0) NameThreadOfVariant(variant);
          id_ = ThisThreadId();
          std::thread inner([this] {
            ready_ = true;
            while (!ends_) std::this_thread::yield();
          });
          inner.join();
        }) {
    while (!ready_) std::this_thread::yield();
  }
  ~TwoThreads() {
    ends_ = true;
    outer_.join();
  }
  int id() const { return id_; }

 private:
  std::atomic<bool> ready_{false};
  std::atomic<bool> ends_{false};
  std::atomic<int> id_{0};
  std::thread outer_;
};

TEST(ThreadCensus, CountsWhatTheThreadsOfAVariantStart) {
  ThreadCensus census;
  const TwoThreads of_new(1);
  census.Look([&] { return std::vector<int>{of_new.id()}; });
  EXPECT_EQ(census.started(0), 0);
  EXPECT_EQ(census.started(1), 1);
  {
    const TwoThreads of_old(0);
    census.Look([&] { return std::vector<int>{of_new.id(), of_old.id()}; });
  }
  census.Look([&] { return std::vector<int>{of_new.id()}; });
  EXPECT_EQ(census.started(0), 1) << "the most at once";
}

// The kernel lists a thread for some time after it was joined, and the next one begins meanwhile.
TEST(ThreadCensus, ThreadsOneAfterTheOtherAreOne) {
  ThreadCensus census;
  std::atomic<int> id{0};
  std::atomic<bool> ends{false};
  std::thread of_new([&] {
    NameThreadOfVariant(1);
    id = ThisThreadId();
    while (!ends) std::thread([] {}).join();
  });
  while (id == 0) std::this_thread::yield();
  for (int i = 0; i < 3000; ++i) {
    census.Look([&] { return std::vector<int>{id}; });
  }
  ends = true;
  of_new.join();
  EXPECT_EQ(census.started(1), 1);
}

TEST(ThreadCensus, ThreadsBeforeTheRunBelongToNoVariant) {
  const TwoThreads before(0);
  ThreadCensus census;
  const TwoThreads after(-1);
  census.Look([] { return std::vector<int>{0}; });
  EXPECT_EQ(census.started(kEitherVariant), 0) << "before the threads of the run are known";
  census.Look([] { return std::vector<int>(); });
  EXPECT_EQ(census.started(kEitherVariant), 0) << "it has the name of this thread";
  EXPECT_EQ(census.started(0), 0);
  EXPECT_EQ(census.started(1), 0);
}

// A thread that has started another one, which takes another name once it is told to.
class NamesItself {
 public:
  NamesItself()
      : outer_([this] {
          NameThreadOfVariant(1);
          id_ = ThisThreadId();
          std::thread inner([this] {
            while (!takes_name_) std::this_thread::yield();
            NameThisThread("pool");
            has_name_ = true;
            while (!ends_) std::this_thread::yield();
          });
          has_started_ = true;
          inner.join();
        }) {
    while (!has_started_) std::this_thread::yield();
  }
  ~NamesItself() {
    takes_name_ = ends_ = true;
    outer_.join();
  }
  void TakeName() {
    takes_name_ = true;
    while (!has_name_) std::this_thread::yield();
  }
  int id() const { return id_; }

 private:
  std::atomic<bool> has_started_{false};
  std::atomic<bool> takes_name_{false};
  std::atomic<bool> has_name_{false};
  std::atomic<bool> ends_{false};
  std::atomic<int> id_{0};
  std::thread outer_;
};

TEST(ThreadCensus, ThreadsThatNameThemselvesAreOfEitherVariant) {
  ThreadCensus census;
  NamesItself of_new;
  of_new.TakeName();
  census.Look([&] { return std::vector<int>{of_new.id(), 0}; });
  EXPECT_EQ(census.started(kEitherVariant), 0) << "it may be a thread of the run";
  census.Look([&] { return std::vector<int>{of_new.id()}; });
  EXPECT_EQ(census.started(kEitherVariant), 1);
  EXPECT_EQ(census.started(0), 0);
  EXPECT_EQ(census.started(1), 0);
}

TEST(ThreadCensus, ThreadSeenBeforeItTookItsNameBelongsToItsVariant) {
  ThreadCensus census;
  NamesItself of_new;
  const auto own = [&] { return std::vector<int>{of_new.id()}; };
  census.Look(own);
  of_new.TakeName();
  census.Look(own);
  EXPECT_EQ(census.started(1), 1);
  EXPECT_EQ(census.started(kEitherVariant), 0);
}

}  // namespace
}  // namespace duetbench
