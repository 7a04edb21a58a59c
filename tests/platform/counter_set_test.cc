#include "duetbench/platform/counter_set.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Hardware events 0, 1, …: event k counts k + 1 of whatever happens.
std::vector<EventCode> HardwareEvents(size_t count) {
  std::vector<EventCode> codes;
  for (size_t config = 0; config < count; ++config) codes.push_back(HardwareCode(config));
  return codes;
}

// Counts a region in which `events` happen.
void CountRegion(FakePerf* perf, CounterSet* counters, uint64_t turn, uint64_t events) {
  counters->Enable(turn);
  counters->Start();
  perf->Happen(events);
  counters->Stop();
  counters->Disable();
}

TEST(CounterSetTest, CountsARegion) {
  FakePerf perf;
  const auto codes = HardwareEvents(3);
  CounterSet counters(&perf, codes.data(), codes.size());
  EXPECT_EQ(counters.turns(), 1u);
  CountRegion(&perf, &counters, 0, 100);
  for (size_t event = 0; event < 3; ++event) {
    EXPECT_EQ(counters.error(event), 0);
    ASSERT_TRUE(counters.count(event).counted);
    EXPECT_EQ(counters.count(event).value, 100.0 * static_cast<double>(event + 1));
  }
  perf.Happen(1000);  // between regions
  CountRegion(&perf, &counters, 0, 5);
  EXPECT_EQ(counters.count(0).value, 5);
}

TEST(CounterSetTest, WithoutEventsNothingIsAsked) {
  FakePerf perf;
  CounterSet none;
  CounterSet empty(&perf, nullptr, 0);
  for (CounterSet* counters : {&none, &empty}) {
    CountRegion(&perf, counters, 3, 10);
    EXPECT_EQ(counters->events(), 0u);
  }
  EXPECT_EQ(perf.reads, 0);
  EXPECT_EQ(perf.open_files(), 0u);
}

TEST(CounterSetTest, PausesAreNotCounted) {
  FakePerf perf;
  const auto codes = HardwareEvents(1);
  CounterSet counters(&perf, codes.data(), codes.size());
  counters.Enable(0);
  counters.Start();
  perf.Happen(10);
  counters.Pause();
  perf.Happen(1000);
  counters.Resume();
  perf.Happen(7);
  counters.Stop();
  counters.Disable();
  EXPECT_EQ(counters.count(0).value, 17);
}

TEST(CounterSetTest, WhatReadingCostsIsTakenOff) {
  FakePerf perf;
  perf.cost_of_read = 40;
  const auto codes = HardwareEvents(2);
  CounterSet counters(&perf, codes.data(), codes.size());
  CountRegion(&perf, &counters, 0, 100);
  EXPECT_EQ(counters.count(0).value, 100);
  EXPECT_EQ(counters.count(1).value, 200);
}

TEST(CounterSetTest, AnEventThatCannotBeOpenedFailsByItself) {
  FakePerf perf;
  perf.errors = {{0, ENOENT}, {2, EACCES}};
  const auto codes = HardwareEvents(4);
  CounterSet counters(&perf, codes.data(), codes.size());
  CountRegion(&perf, &counters, 0, 10);
  EXPECT_EQ(counters.error(0), ENOENT);
  EXPECT_FALSE(counters.count(0).counted);
  EXPECT_EQ(counters.error(2), EACCES);
  EXPECT_FALSE(counters.count(2).counted);
  EXPECT_EQ(counters.count(1).value, 20);
  EXPECT_EQ(counters.count(3).value, 40);
}

TEST(CounterSetTest, GroupsThatAreTooLargeTakeTurns) {
  FakePerf perf;
  perf.accepted = 2;
  const auto codes = HardwareEvents(5);
  CounterSet counters(&perf, codes.data(), codes.size());
  EXPECT_EQ(counters.turns(), 3u);
  counters.Enable(0);
  EXPECT_THAT(perf.enabled(), UnorderedElementsAre(0, 1));
  counters.Disable();
  counters.Enable(4);
  EXPECT_THAT(perf.enabled(), UnorderedElementsAre(2, 3)) << "turns go round";
  counters.Disable();
  EXPECT_THAT(perf.enabled(), IsEmpty());
  CountRegion(&perf, &counters, 2, 10);
  EXPECT_FALSE(counters.count(0).counted) << "it was not its turn";
  EXPECT_EQ(counters.count(4).value, 50);
  EXPECT_EQ(counters.turn_of(0), 0);
  EXPECT_EQ(counters.turn_of(4), 2);
}

TEST(CounterSetTest, GroupsThatAreAcceptedButNeverRunAreSplit) {
  // The kernel accepts 4, but one counter of 4 is taken by somebody else.
  FakePerf perf;
  perf.accepted = 4;
  perf.counters = 3;
  const auto codes = HardwareEvents(6);
  CounterSet counters(&perf, codes.data(), codes.size());
  EXPECT_EQ(counters.turns(), 2u);
  for (size_t event = 0; event < 6; ++event) {
    CountRegion(&perf, &counters, event / 3, 10);
    ASSERT_TRUE(counters.count(event).counted) << event;
    EXPECT_EQ(counters.count(event).value, 10.0 * static_cast<double>(event + 1));
  }
}

TEST(CounterSetTest, WhatNeverRunsIsNotCounted) {
  FakePerf perf;
  perf.counters = 0;
  const auto codes = HardwareEvents(1);
  CounterSet counters(&perf, codes.data(), codes.size());
  CountRegion(&perf, &counters, 0, 10);
  EXPECT_EQ(counters.error(0), 0);
  EXPECT_FALSE(counters.count(0).counted);
}

TEST(CounterSetTest, WhatIsMultiplexedByOthersIsScaled) {
  FakePerf perf;
  const auto codes = HardwareEvents(1);
  CounterSet counters(&perf, codes.data(), codes.size());
  perf.share = 0.25;
  CountRegion(&perf, &counters, 0, 1000);
  ASSERT_TRUE(counters.count(0).counted);
  EXPECT_TRUE(counters.count(0).scaled);
  EXPECT_EQ(counters.count(0).value, 1000);
}

TEST(CounterSetTest, SoftwareEventsCountInEveryTurn) {
  FakePerf perf;
  perf.accepted = 1;
  const std::vector<EventCode> codes = {HardwareCode(0), SoftwareCode(2), HardwareCode(1)};
  CounterSet counters(&perf, codes.data(), codes.size());
  EXPECT_EQ(counters.turns(), 2u);
  for (const uint64_t turn : {0, 1}) {
    CountRegion(&perf, &counters, turn, 10);
    EXPECT_EQ(counters.count(1).value, 30);
    EXPECT_EQ(counters.count(0).counted, turn == 0);
    EXPECT_EQ(counters.count(2).counted, turn == 1);
  }
}

TEST(CounterSetTest, IsReadInUserModeWhereTheKernelAllowsIt) {
  FakePerf perf;
  perf.user_read = true;
  const auto codes = HardwareEvents(2);
  CounterSet counters(&perf, codes.data(), codes.size());
  const int reads = perf.reads;
  const int pmc_reads = perf.pmc_reads;
  CountRegion(&perf, &counters, 0, 10);
  EXPECT_EQ(perf.reads, reads);
  EXPECT_EQ(perf.pmc_reads, pmc_reads + 4);
  ASSERT_TRUE(counters.count(1).counted);
  EXPECT_EQ(counters.count(1).value, 20);
}

TEST(CounterSetTest, ClosesWhatItOpened) {
  FakePerf perf;
  perf.accepted = 2;
  {
    const auto codes = HardwareEvents(5);
    const CounterSet counters(&perf, codes.data(), codes.size());
    EXPECT_EQ(perf.open_files(), 5u);
  }
  EXPECT_EQ(perf.open_files(), 0u);
}

}  // namespace
}  // namespace duetbench
