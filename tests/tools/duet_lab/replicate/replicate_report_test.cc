#include "tools/duet_lab/replicate/replicate_report.h"

#include <limits>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/duet_lab/replicate/state_file.h"

namespace duetbench::lab {
namespace {

using ::testing::HasSubstr;

TEST(PlanTasks, HasEachTaskOnceInTheOrderOfTheMoments) {
  const std::vector<ReplicateTask> tasks =
      PlanTasks({{"a", "b"}, /*replications=*/5, /*plain_visits=*/7, /*seconds=*/350});
  EXPECT_EQ(tasks.size(), 5u + 7 * 2);
  std::set<std::string> keys;
  double previous = 0;
  for (const ReplicateTask& task : tasks) {
    EXPECT_TRUE(keys.insert(KeyOf(task)).second) << KeyOf(task);
    EXPECT_GE(task.moment, previous);
    previous = task.moment;
    const double part = task.is_plain() ? 350.0 / 7 : 350.0 / 5;
    EXPECT_GE(task.moment, task.replication * part) << KeyOf(task);
    EXPECT_LT(task.moment, (task.replication + 1) * part) << KeyOf(task);
  }
  EXPECT_EQ(keys.count("duets,4"), 1u);
  EXPECT_EQ(keys.count("plain,a,6"), 1u);
}

ReplicateRecord DuetRecord(const std::string& key, double ratio) {
  ReplicateRecord record;
  record.key = key;
  record.at = 1e9;
  record.wall_seconds = 1.5;
  for (const char* name : {"a", "b"}) {
    Observation duet;
    duet.name = name;
    duet.ratio = ratio;
    duet.lo = ratio - 0.01;
    duet.hi = ratio + 0.01;
    duet.verdict = "FASTER";
    duet.runs = 20;
    duet.schedule = 2;
    duet.wall_seconds = 0.75;
    record.duets.push_back(duet);
  }
  return record;
}

TEST(ReplicateRecord, IsReadAsItIsWritten) {
  ReplicateRecord record = DuetRecord("duets,3", 0.5);
  record.duets[0].hi = std::numeric_limits<double>::infinity();
  record.duets[1].error = "it said \"no\"\nand \xff";
  ReplicateRecord plain;
  plain.key = "plain,a,0";
  plain.plain = {10, 20};
  const std::string line = EncodeRecord(record);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = DecodeRecords<ReplicateRecord>({line, EncodeRecord(plain), line});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);  // a key that is repeated counts once
  const ReplicateRecord& first = (*read)[0];
  EXPECT_EQ(first.key, "duets,3");
  EXPECT_EQ(first.wall_seconds, 1.5);
  ASSERT_EQ(first.duets.size(), 2u);
  EXPECT_EQ(first.duets[0].hi, std::numeric_limits<double>::infinity());
  EXPECT_EQ(first.duets[0].wall_seconds, 0.75);
  EXPECT_EQ(first.duets[1].hi, 0.51);
  EXPECT_EQ(first.duets[1].schedule, 2);
  EXPECT_THAT(first.duets[1].error, HasSubstr("it said \"no\"\nand "));
  EXPECT_EQ((*read)[1].plain.new_ns, 20);
}

TEST(ReplicateRecord, TheLineThatIsNoneIsNamed) {
  const std::string line = EncodeRecord(DuetRecord("duets,3", 0.5));
  std::vector<std::string> bad = {"", "{}", "shopping list"};
  for (std::size_t length = 1; length < line.size(); length += 7) {
    bad.push_back(line.substr(0, length));
  }
  for (const std::string& other : bad) {
    const absl::Status status = DecodeRecords<ReplicateRecord>({line, other, line}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << other;
    EXPECT_EQ(status.message().substr(0, 20), "line 3 is no record ") << status;
  }
}

TEST(ReplicateReport, HasRowsOfPairsAndOfSets) {
  std::vector<ReplicateRecord> records = {DuetRecord("duets,0", 0.5), DuetRecord("duets,1", 0.502)};
  for (const char* pair : {"a", "b"}) {
    ReplicateRecord plain;
    plain.key = std::string("plain,") + pair + ",0";
    plain.plain = {10, 5};
    records.push_back(plain);
  }
  LabReport report;
  const std::vector<CodePair> pairs = {{"a", PairSet::kTuning, nullptr},
                                       {"b", PairSet::kHoldOut, nullptr}};
  FillReplicateReport(pairs, records, &report);
  EXPECT_EQ("\n" + ToConsole(report), R"(
pair               n  errors    ratio (min-max)  ± [%]                  consistent                           overdispersion  plain loops (99 %)  to plain [%]  contrad.
a                  2       0  0.501 (0.5-0.502)   2.00                         2/2                        0.40 (0.18-12.91)       0.5 (0.5-0.5)          +0.2     0+0+0
b                  2       0  0.501 (0.5-0.502)   2.00                         2/2                        0.40 (0.18-12.91)       0.5 (0.5-0.5)          +0.2     0+0+0
tuning, 1 pairs    -       0                  -   2.00  2/2 = 100.0 % (15.8-100.0)  0.40, worst 0.40; rms 0.40 (0.18-12.91)                   -           1/1     0+0+0
hold-out, 1 pairs  -       0                  -   2.00  2/2 = 100.0 % (15.8-100.0)  0.40, worst 0.40; rms 0.40 (0.18-12.91)                   -           1/1     0+0+0
all, 2 pairs       -       0                  -   2.00  4/4 = 100.0 % (39.8-100.0)   0.40, worst 0.40; rms 0.40 (0.21-2.54)                   -           2/2     0+0+0
met:     97 % of the intervals are consistent with the other replications (found 4/4 = 100.0 % (39.8-100.0))
met:     no contradicting and no wrong decisions (found 0+0+0)
)");
  EXPECT_EQ(report.details["replications"].size(), 4u);
  for (Observation& duet : records[1].duets) duet.link = 1;
  LabReport relinked;
  FillReplicateReport(pairs, records, &relinked);
  EXPECT_EQ(relinked.columns.back().title, "between links [%]");
  for (const auto& row : relinked.rows) {
    EXPECT_THAT(row["between_links"]["text"], HasSubstr("0.28 : 0.70; 0.40 (")) << row;
  }
}

}  // namespace
}  // namespace duetbench::lab
