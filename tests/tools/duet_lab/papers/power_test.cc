#include "tools/duet_lab/papers/power.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(PowerRecord, IsReadAsItIsWritten) {
  const PowerRecord record{"crossed", 0.005, 7, {{"t", {0.98, 1.03}}, {"paper", {0, 1e300}}}};
  const std::string line = EncodePowerRecord(record);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = DecodePowerRecord(line);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->schedule, "crossed");
  EXPECT_EQ(read->effect, 0.005);
  EXPECT_EQ(read->experiment, 7);
  EXPECT_EQ(read->intervals, record.intervals);
  // Cut off at any place it is no record.
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_FALSE(DecodePowerRecord(line.substr(0, length)).ok()) << length;
  }
}

TEST(ReadPowerRecords, ARepeatedExperimentCountsOnce) {
  const std::string first = EncodePowerRecord({"duet", 0.01, 0, {{"t", {1.01, 1.02}}}});
  const std::string second = EncodePowerRecord({"duet", 0.01, 1, {{"t", {0.99, 1.02}}}});
  const auto records = ReadPowerRecords({first, second, first, first});
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(records->size(), 2u);
  EXPECT_EQ(CountFound(*records, "duet", 0.01, "t").found, 1);
}

TEST(ReadPowerRecords, WhatIsNoExperimentIsRefused) {
  const std::string line = EncodePowerRecord({"duet", 0.01, 0, {}});
  for (const char* const other : {"", "{}", "shopping list"}) {
    const auto records = ReadPowerRecords({line, other, line});
    EXPECT_EQ(records.status().code(), absl::StatusCode::kInvalidArgument) << other;
    EXPECT_EQ(records.status().message().substr(0, 7), "line 3 ") << records.status();
  }
}

TEST(CountFound, CountsTheRightSide) {
  const std::vector<PowerRecord> records = {
      {"duet", 0, 0, {{"t", {0.9, 0.99}}}},      {"duet", 0, 1, {{"t", {1.01, 1.1}}}},
      {"duet", 0, 2, {{"t", {0.99, 1.01}}}},     {"duet", 0.01, 0, {{"t", {0.9, 0.99}}}},
      {"duet", 0.01, 1, {{"t", {1.001, 1.02}}}}, {"duet", 0.01, 2, {}},
      {"crossed", 0, 0, {{"t", {0.9, 0.99}}}},
  };
  const PowerCount alarms = CountFound(records, "duet", 0, "t");
  EXPECT_EQ(alarms.experiments, 3);
  EXPECT_EQ(alarms.found, 2);  // either side is an alarm
  const PowerCount found = CountFound(records, "duet", 0.01, "t");
  EXPECT_EQ(found.experiments, 2);  // one had no interval
  EXPECT_EQ(found.found, 1);        // faster is not what is true
  EXPECT_EQ(CountFound(records, "duet", 0.01, "hl").experiments, 0);
}

// R: binom.test(3, 20)$conf.int
TEST(ClopperPearson, IsThatOfR) {
  const auto [lo, hi] = ClopperPearson(3, 20, 0.95);
  EXPECT_NEAR(lo, 0.03207094, 1e-7);
  EXPECT_NEAR(hi, 0.37892683, 1e-7);
  EXPECT_EQ(ClopperPearson(0, 10, 0.95).first, 0);
  EXPECT_NEAR(ClopperPearson(0, 10, 0.95).second, 0.3084971, 1e-7);
  EXPECT_EQ(ClopperPearson(10, 10, 0.95).second, 1);
  EXPECT_EQ(ClopperPearson(0, 0, 0.95).second, 1);
}

}  // namespace
}  // namespace duetbench::lab
