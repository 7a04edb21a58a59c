#include "duetbench/platform/counter_set.h"

#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class CounterSetTest : public ::testing::Test {
 protected:
  // Hardware events 0, 1, …: event k counts k + 1 of whatever happens.
  CounterSet& Open(size_t events) {
    std::vector<EventCode> codes;
    for (size_t config = 0; config < events; ++config) codes.push_back(HardwareCode(config));
    return Open(codes);
  }
  CounterSet& Open(const std::vector<EventCode>& codes) {
    return counters_.emplace(&perf_, codes.data(), codes.size());
  }

  // Counts a region in which `events` happen.
  void CountRegion(CounterSet* counters, uint64_t events) {
    counters->Enable();
    counters->Start();
    perf_.Happen(events);
    counters->Stop();
    counters->Disable();
  }

  FakePerf perf_;
  std::optional<CounterSet> counters_;
};

TEST_F(CounterSetTest, CountsARegion) {
  CounterSet& counters = Open(3);
  CountRegion(&counters, 100);
  for (size_t event = 0; event < 3; ++event) {
    EXPECT_EQ(counters.error(event), 0);
    ASSERT_TRUE(counters.count(event).counted);
    EXPECT_EQ(counters.count(event).value, 100.0 * static_cast<double>(event + 1));
  }
  perf_.Happen(1000);  // between regions
  CountRegion(&counters, 5);
  EXPECT_EQ(counters.count(0).value, 5);
}

TEST_F(CounterSetTest, WithoutEventsNothingIsAsked) {
  CounterSet none;
  CounterSet empty(&perf_, nullptr, 0);
  for (CounterSet* counters : {&none, &empty}) {
    CountRegion(counters, 10);
    EXPECT_EQ(counters->events(), 0u);
  }
  EXPECT_EQ(perf_.reads, 0);
  EXPECT_EQ(perf_.open_files(), 0u);
}

TEST_F(CounterSetTest, PausesAreNotCounted) {
  CounterSet& counters = Open(1);
  counters.Enable();
  counters.Start();
  perf_.Happen(10);
  counters.Pause();
  perf_.Happen(1000);
  counters.Resume();
  perf_.Happen(7);
  counters.Stop();
  counters.Disable();
  EXPECT_EQ(counters.count(0).value, 17);
}

TEST_F(CounterSetTest, ARegionIsAsCountedAsItsParts) {
  CounterSet& counters = Open(1);
  for (const double share : {0.5, 0.0}) {  // in the second part
    counters.Enable();
    counters.Start();
    perf_.Happen(10);
    counters.Pause();
    perf_.share = share;
    counters.Resume();
    perf_.Happen(8);
    counters.Stop();
    counters.Disable();
    EXPECT_EQ(counters.count(0).counted, share > 0);
    EXPECT_EQ(counters.count(0).scaled, share > 0);
    EXPECT_TRUE(share == 0 || counters.count(0).value == 18);
    perf_.share = 1;
  }
}

TEST_F(CounterSetTest, WhatReadingCostsIsTakenOff) {
  perf_.cost_of_read = 40;
  CounterSet& counters = Open(2);
  CountRegion(&counters, 100);
  EXPECT_EQ(counters.count(0).value, 100);
  EXPECT_EQ(counters.count(1).value, 200);
  perf_.cost_of_read = 0;
  CountRegion(&counters, 10);
  EXPECT_EQ(counters.count(0).value, 0) << "not below 0";
}

TEST_F(CounterSetTest, AnEventThatCannotBeOpenedFailsByItself) {
  perf_.errors = {{0, ENOENT}, {2, EACCES}};
  CounterSet& counters = Open(4);
  CountRegion(&counters, 10);
  EXPECT_EQ(counters.error(0), ENOENT);
  EXPECT_FALSE(counters.count(0).counted);
  EXPECT_EQ(counters.error(2), EACCES);
  EXPECT_FALSE(counters.count(2).counted);
  EXPECT_EQ(counters.count(1).value, 20);
  EXPECT_EQ(counters.count(3).value, 40);
}

// Refused by the kernel at once; or accepted, but one counter of 4 is taken by somebody else.
TEST_F(CounterSetTest, EventsBeyondTheCountersOfThePmuAreLeftOut) {
  perf_.counters = 3;
  perf_.errors = {{1, EACCES}};
  for (const size_t accepted : {size_t{3}, size_t{4}}) {
    perf_.accepted = accepted;
    CounterSet& counters = Open(6);
    EXPECT_EQ(perf_.open_files(), 3u);
    CountRegion(&counters, 10);
    for (const size_t event : {0, 2, 3}) {
      EXPECT_EQ(counters.error(event), 0);
      EXPECT_EQ(counters.count(event).value, 10.0 * static_cast<double>(event + 1));
    }
    EXPECT_EQ(counters.error(1), EACCES);
    for (const size_t event : {4, 5}) {
      EXPECT_EQ(counters.error(event), CounterSet::kNoCounterLeft);
      EXPECT_FALSE(counters.count(event).counted);
    }
  }
}

TEST_F(CounterSetTest, WhatNeverRunsIsNotCounted) {
  perf_.counters = 0;
  CounterSet& counters = Open(1);
  CountRegion(&counters, 10);
  EXPECT_EQ(counters.error(0), 0);
  EXPECT_FALSE(counters.count(0).counted);
}

TEST_F(CounterSetTest, WhatIsMultiplexedByOthersIsScaled) {
  CounterSet& counters = Open(1);
  perf_.share = 0.25;
  CountRegion(&counters, 1000);
  ASSERT_TRUE(counters.count(0).counted);
  EXPECT_TRUE(counters.count(0).scaled);
  EXPECT_EQ(counters.count(0).value, 1000);
}

TEST_F(CounterSetTest, SoftwareEventsNeedNoCounter) {
  perf_.accepted = 1;
  CounterSet& counters = Open({HardwareCode(0), SoftwareCode(2), SoftwareCode(3)});
  counters.Enable();
  EXPECT_THAT(perf_.enabled(), UnorderedElementsAre(0, 2, 3));
  counters.Disable();
  EXPECT_THAT(perf_.enabled(), IsEmpty());
  CountRegion(&counters, 10);
  EXPECT_EQ(counters.count(1).value, 30);
  EXPECT_EQ(counters.count(2).value, 40);
}

TEST_F(CounterSetTest, ClosesWhatItOpened) {
  Open(5);
  EXPECT_EQ(perf_.open_files(), 5u);
  counters_.reset();
  EXPECT_EQ(perf_.open_files(), 0u);
}

}  // namespace
}  // namespace duetbench
