#include <linux/perf_event.h>

#include <cstring>
#include <iterator>
#include <vector>

#include "duetbench/platform/counter_set.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

std::vector<char> Bytes(const std::vector<uint64_t>& words) {
  std::vector<char> bytes(words.size() * 8);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

GroupReading Reading(uint64_t enabled, uint64_t running, uint64_t value) {
  GroupReading reading;
  reading.enabled_ns = enabled;
  reading.running_ns = running;
  reading.values[0] = value;
  return reading;
}

TEST(DecodeGroupRead, TakesTimesAndValues) {
  const std::vector<char> bytes = Bytes({3, 5000, 4000, 10, 20, 1ull << 63});
  GroupReading reading;
  ASSERT_TRUE(DecodeGroupRead(bytes.data(), bytes.size(), 3, &reading));
  EXPECT_EQ(reading.enabled_ns, 5000u);
  EXPECT_EQ(reading.running_ns, 4000u);
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
      {Reading(100, 100, 7), Reading(300, 300, 1007), kYes, 1000},
      {Reading(100, 100, 7), Reading(300, 300, 7), kYes, 0},
      {Reading(1, 1, ~0ull - 9), Reading(2, 2, 10), kYes, 20},  // it wraps around
      // Multiplexed: half of the time on the PMU.
      {Reading(100, 100, 0), Reading(300, 200, 1000), kScaled, 2000},
      // A group that did not run.
      {Reading(100, 50, 7), Reading(300, 50, 7), kNo},
      {Reading(0, 0, 0), Reading(0, 0, 0), kNo},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    const Count count = CountBetween(cases[i].begin, cases[i].end, 0);
    EXPECT_EQ(count.counted, cases[i].counted != kNo) << i;
    EXPECT_EQ(count.scaled, cases[i].counted == kScaled) << i;
    EXPECT_EQ(count.value, cases[i].value) << i;
  }
}

TEST(SoftwareEvents, AreThoseOfTheKernel) {
  EXPECT_TRUE(IsSoftware(SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS)));
  EXPECT_FALSE(IsSoftware(HardwareCode(PERF_COUNT_HW_CPU_CYCLES)));
}

}  // namespace
}  // namespace duetbench
