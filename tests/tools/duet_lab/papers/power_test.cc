#include "tools/duet_lab/papers/power.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tools/duet_lab/replicate/state_file.h"

namespace duetbench::lab {
namespace {

TEST(PowerRecord, IsReadAsItIsWritten) {
  const PowerRecord record{
      "crossed,0.005,7", "crossed", 0.005, 7, {{"t", {0.98, 1.03}}, {"paper", {0, 1e300}}}};
  const auto read = DecodeRecords<PowerRecord>({EncodeRecord(record)});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ((*read)[0].key, KeyOf("crossed", 0.005, 7));
  EXPECT_EQ((*read)[0].schedule, "crossed");
  EXPECT_EQ((*read)[0].effect, 0.005);
  EXPECT_EQ((*read)[0].experiment, 7);
  EXPECT_EQ((*read)[0].intervals, record.intervals);
}

TEST(CountFound, CountsTheRightSide) {
  const std::vector<PowerRecord> records = {
      {"", "duet", 0, 0, {{"t", {0.9, 0.99}}}},      {"", "duet", 0, 1, {{"t", {1.01, 1.1}}}},
      {"", "duet", 0, 2, {{"t", {0.99, 1.01}}}},     {"", "duet", 0.01, 0, {{"t", {0.9, 0.99}}}},
      {"", "duet", 0.01, 1, {{"t", {1.001, 1.02}}}}, {"", "duet", 0.01, 2, {}},
      {"", "crossed", 0, 0, {{"t", {0.9, 0.99}}}},
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
