#include "duetbench/platform/reading.h"

#include <cstring>
#include <iterator>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

std::vector<char> Bytes(const std::vector<uint64_t>& words) {
  std::vector<char> bytes(words.size() * 8);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

GroupReading FromKernel(uint64_t enabled, uint64_t running, uint64_t value) {
  GroupReading reading;
  reading.enabled_ns = enabled;
  reading.running_ns = running;
  reading.from_kernel = true;
  reading.values[0] = value;
  return reading;
}

GroupReading FromUser(uint64_t enabled, uint64_t running, uint64_t value) {
  GroupReading reading = FromKernel(enabled, running, value);
  reading.from_kernel = false;
  return reading;
}

TEST(DecodeGroupRead, TakesTimesAndValues) {
  const std::vector<char> bytes = Bytes({3, 5000, 4000, 10, 20, 1ull << 63});
  GroupReading reading;
  ASSERT_TRUE(DecodeGroupRead(bytes.data(), bytes.size(), 3, &reading));
  EXPECT_EQ(reading.enabled_ns, 5000u);
  EXPECT_EQ(reading.running_ns, 4000u);
  EXPECT_TRUE(reading.from_kernel);
  EXPECT_EQ(reading.values[0], 10u);
  EXPECT_EQ(reading.values[1], 20u);
  EXPECT_EQ(reading.values[2], 1ull << 63);
}

TEST(DecodeGroupRead, IsAsKernelsWriteIt) {
  // Little-endian: 1 event, enabled 0x0102030405060708, running 0xff, value 3.
  const unsigned char bytes[] = {1,   0, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1,
                                 255, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0};
  GroupReading reading;
  ASSERT_TRUE(DecodeGroupRead(bytes, sizeof(bytes), 1, &reading));
  EXPECT_EQ(reading.enabled_ns, 0x0102030405060708u);
  EXPECT_EQ(reading.running_ns, 0xffu);
  EXPECT_EQ(reading.values[0], 3u);
}

TEST(DecodeGroupRead, RefusesWhatIsCutOffOrOfAnotherGroup) {
  const std::vector<char> bytes = Bytes({2, 5000, 4000, 10, 20});
  GroupReading reading;
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), bytes.size() - 8, 2, &reading));
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), bytes.size() - 1, 2, &reading));
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), 0, 2, &reading));
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), bytes.size(), 1, &reading));
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), bytes.size(), kMaxEvents + 1, &reading));
  const std::vector<char> other = Bytes({1, 5000, 4000, 10, 20});
  EXPECT_FALSE(DecodeGroupRead(other.data(), other.size(), 2, &reading));
}

TEST(CountBetween, IsTheDifferenceWhereItWasOnThePmu) {
  enum Counted { kNo, kYes, kScaled };
  const struct {
    GroupReading begin;
    GroupReading end;
    Counted counted;
    double value = 0;
  } cases[] = {
      {FromKernel(100, 100, 7), FromKernel(300, 300, 1007), kYes, 1000},
      {FromKernel(100, 100, 7), FromKernel(300, 300, 7), kYes, 0},
      {FromKernel(1, 1, ~0ull - 9), FromKernel(2, 2, 10), kYes, 20},  // it wraps around
      // Multiplexed: half of the time on the PMU.
      {FromKernel(100, 100, 0), FromKernel(300, 200, 1000), kScaled, 2000},
      // A group that did not run.
      {FromKernel(100, 50, 7), FromKernel(300, 50, 7), kNo},
      {FromKernel(0, 0, 0), FromKernel(0, 0, 0), kNo},
      // In user mode the times are those of the last time that the kernel put it there: they may
      // stand still.
      {FromUser(100, 90, 7), FromUser(100, 90, 12), kYes, 5},
      // Scheduled out and in again together with its thread: never off.
      {FromUser(100, 90, 7), FromUser(500, 490, 12), kYes, 5},
      // One end read by the kernel.
      {FromUser(100, 90, 7), FromKernel(700, 690, 12), kYes, 5},
      {FromKernel(100, 90, 7), FromUser(100, 90, 12), kYes, 5},
      // In user mode, and it was off the PMU.
      {FromUser(100, 90, 7), FromUser(500, 400, 12), kNo},
      {FromUser(100, 90, 7), FromKernel(500, 400, 12), kNo},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    const Count count = CountBetween(cases[i].begin, cases[i].end, 0);
    EXPECT_EQ(count.counted, cases[i].counted != kNo) << i;
    EXPECT_EQ(count.scaled, cases[i].counted == kScaled) << i;
    EXPECT_EQ(count.value, cases[i].value) << i;
  }
}

TEST(AddCounts, AnUnknownPartMakesTheSumUnknown) {
  Count known;
  known.counted = true;
  known.value = 3;
  Count scaled = known;
  scaled.scaled = true;
  EXPECT_EQ(Add(known, scaled).value, 6);
  EXPECT_TRUE(Add(known, scaled).scaled);
  EXPECT_FALSE(Add(known, known).scaled);
  EXPECT_FALSE(Add(known, Count{}).counted);
  EXPECT_FALSE(Add(Count{}, known).counted);
}

TEST(SubtractOverhead, StopsAtZero) {
  Count count;
  count.counted = true;
  count.value = 10;
  EXPECT_EQ(Subtract(count, 4).value, 6);
  EXPECT_EQ(Subtract(count, 14).value, 0);
  EXPECT_TRUE(Subtract(count, 14).counted);
}

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
  // A counter of 40 bits has another value; bits above the width mean nothing.
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
