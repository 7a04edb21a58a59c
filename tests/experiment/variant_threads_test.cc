#include "duetbench/experiment/variant_threads.h"

#include <atomic>
#include <thread>
#include <vector>

#include "duetbench/platform/fallback.h"
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
  if (DUETBENCH_FALLBACK) GTEST_SKIP() << "fallbacks see no threads";
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

TEST(ThreadCensus, OthersAreOfNoVariant) {
  if (DUETBENCH_FALLBACK) GTEST_SKIP() << "fallbacks see no threads";
  const TwoThreads before(0);
  ThreadCensus census;
  const TwoThreads after(-1);
  census.Look([] { return std::vector<int>(); });
  EXPECT_EQ(census.started(0), 0);
  EXPECT_EQ(census.started(1), 0);
}

}  // namespace
}  // namespace duetbench
