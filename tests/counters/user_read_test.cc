#include "duetbench/counters/user_read.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

perf_event_mmap_page PageOf(uint32_t index, int64_t offset, uint16_t width) {
  perf_event_mmap_page page{};
  page.lock = 2;
  page.index = index;
  page.offset = offset;
  page.pmc_width = width;
  page.cap_user_rdpmc = 1;
  page.time_enabled = 700;
  page.time_running = 600;
  return page;
}

TEST(ReadInUserMode, AddsTheCounterToTheOffset) {
  const perf_event_mmap_page page = PageOf(3, 1000, 48);
  uint32_t counter = 99;
  const auto reading = ReadInUserMode(page, [&](uint32_t index) -> uint64_t {
    counter = index;
    return 234;
  });
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->value, 1234u);
  EXPECT_EQ(counter, 2u) << "index counts from 1";
  EXPECT_EQ(reading->enabled_ns, 700u);
  EXPECT_EQ(reading->running_ns, 600u);
}

TEST(ReadInUserMode, TheCounterIsSigned) {
  // The kernel starts counters below zero: 2^48 - 16 is -16 of 48 bits.
  const perf_event_mmap_page page = PageOf(1, 1000, 48);
  EXPECT_EQ(ReadInUserMode(page, [](uint32_t) { return (1ull << 48) - 16; })->value, 984u);
  // Of 40 bits another one; bits above the width mean nothing.
  const perf_event_mmap_page narrow = PageOf(1, 1000, 40);
  EXPECT_EQ(ReadInUserMode(narrow, [](uint32_t) { return (1ull << 40) - 16; })->value, 984u);
  EXPECT_EQ(ReadInUserMode(narrow, [](uint32_t) { return 0xff00000000000000u | 5u; })->value,
            1005u);
  const perf_event_mmap_page wide = PageOf(1, 0, 64);
  EXPECT_EQ(ReadInUserMode(wide, [](uint32_t) { return 1ull << 63; })->value, 1ull << 63);
}

TEST(ReadInUserMode, ReadsAgainWhatChangedInMidRead) {
  // The kernel takes the event off the PMU and puts it on another counter, between the reading of
  // the page and of the counter.
  perf_event_mmap_page page = PageOf(1, 1000, 48);
  int reads = 0;
  const auto reading = ReadInUserMode(page, [&](uint32_t counter) -> uint64_t {
    if (++reads == 1) {
      page.lock += 2;
      page.index = 5;
      page.offset = 2000;
      page.time_enabled = 900;
      return 777'777;  // of whatever event has that counter now
    }
    EXPECT_EQ(counter, 4u);
    return 10;
  });
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->value, 2010u);
  EXPECT_EQ(reading->enabled_ns, 900u);
  EXPECT_EQ(reads, 2);
}

TEST(ReadInUserMode, AnEventThatGoesOffThePmuInMidReadIsForTheKernel) {
  perf_event_mmap_page page = PageOf(1, 1000, 48);
  int reads = 0;
  const auto reading = ReadInUserMode(page, [&](uint32_t) -> uint64_t {
    ++reads;
    page.lock += 2;
    page.index = 0;
    return 777'777;
  });
  EXPECT_FALSE(reading.has_value());
  EXPECT_EQ(reads, 1) << "no counter is read that is not ours";
}

TEST(ReadInUserMode, NotOnThePmuOrNotAllowedIsForTheKernel) {
  perf_event_mmap_page forbidden = PageOf(1, 1000, 48);
  forbidden.cap_user_rdpmc = 0;
  int reads = 0;
  for (const perf_event_mmap_page& page :
       {PageOf(0, 1000, 48), forbidden, PageOf(1, 1000, 0), PageOf(1, 1000, 65)}) {
    const auto reading = ReadInUserMode(page, [&reads](uint32_t) -> uint64_t {
      ++reads;
      return 1;
    });
    EXPECT_FALSE(reading.has_value());
  }
  EXPECT_EQ(reads, 0);
}

TEST(ReadInUserMode, APageThatNeverRestsIsForTheKernel) {
  perf_event_mmap_page page = PageOf(1, 1000, 48);
  int reads = 0;
  EXPECT_FALSE(ReadInUserMode(page, [&](uint32_t) -> uint64_t {
                 page.lock += 2;
                 ++reads;
                 return 1;
               }).has_value());
  EXPECT_GT(reads, 1);
}

}  // namespace
}  // namespace duetbench
