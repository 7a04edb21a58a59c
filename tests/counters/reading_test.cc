#include "duetbench/counters/reading.h"

#include <cstring>
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
  EXPECT_FALSE(DecodeGroupRead(bytes.data(), bytes.size(), kMostEvents + 1, &reading));
  const std::vector<char> other = Bytes({1, 5000, 4000, 10, 20});
  EXPECT_FALSE(DecodeGroupRead(other.data(), other.size(), 2, &reading));
}

TEST(CountBetween, IsTheDifference) {
  const Count count = CountBetween(FromKernel(100, 100, 7), FromKernel(300, 300, 1007), 0);
  EXPECT_TRUE(count.counted);
  EXPECT_FALSE(count.scaled);
  EXPECT_EQ(count.value, 1000);
}

TEST(CountBetween, ScalesWhatWasMultiplexed) {
  // Half of the time on the PMU.
  const Count count = CountBetween(FromKernel(100, 100, 0), FromKernel(300, 200, 1000), 0);
  EXPECT_TRUE(count.counted);
  EXPECT_TRUE(count.scaled);
  EXPECT_EQ(count.value, 2000);
}

TEST(CountBetween, AGroupThatDidNotRunIsNotCounted) {
  EXPECT_FALSE(CountBetween(FromKernel(100, 50, 7), FromKernel(300, 50, 7), 0).counted);
  EXPECT_FALSE(CountBetween(FromKernel(0, 0, 0), FromKernel(0, 0, 0), 0).counted);
}

TEST(CountBetween, NothingHappenedIsACountOfZero) {
  const Count count = CountBetween(FromKernel(100, 100, 7), FromKernel(300, 300, 7), 0);
  EXPECT_TRUE(count.counted);
  EXPECT_EQ(count.value, 0);
}

TEST(CountBetween, WrapsAround) {
  const Count count = CountBetween(FromKernel(1, 1, ~0ull - 9), FromKernel(2, 2, 10), 0);
  EXPECT_EQ(count.value, 20);
}

TEST(CountBetween, InUserModeCountsWhatWasNeverOffThePmu) {
  // The times are those of the last time that the kernel put it there: they may stand still.
  Count count = CountBetween(FromUser(100, 90, 7), FromUser(100, 90, 12), 0);
  EXPECT_TRUE(count.counted);
  EXPECT_FALSE(count.scaled);
  EXPECT_EQ(count.value, 5);
  // Scheduled out and in again together with its thread: still never off.
  count = CountBetween(FromUser(100, 90, 7), FromUser(500, 490, 12), 0);
  EXPECT_TRUE(count.counted);
  // One end read by the kernel.
  EXPECT_TRUE(CountBetween(FromUser(100, 90, 7), FromKernel(700, 690, 12), 0).counted);
  EXPECT_TRUE(CountBetween(FromKernel(100, 90, 7), FromUser(100, 90, 12), 0).counted);
}

TEST(CountBetween, InUserModeWhatWasOffThePmuIsNotCounted) {
  EXPECT_FALSE(CountBetween(FromUser(100, 90, 7), FromUser(500, 400, 12), 0).counted);
  EXPECT_FALSE(CountBetween(FromUser(100, 90, 7), FromKernel(500, 400, 12), 0).counted);
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

}  // namespace
}  // namespace duetbench
