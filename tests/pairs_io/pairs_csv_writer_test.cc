#include "duetbench/pairs_io/pairs_csv_writer.h"

#include <random>
#include <string>
#include <vector>

#include "duetbench/pairs_io/pairs_csv.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/pairs_io/text_source.h"

namespace duetbench {
namespace {

TEST(PairsCsvWriter, WritesTheColumnsInTheirOrder) {
  std::string text = PairsCsvHeader();
  AppendPairsCsvRow({"BM_A", 1, 2, 3, 100.25, 1e-7, 5, 6, 7, 8, 1}, &text);
  EXPECT_EQ(text,
            "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment\n"
            "BM_A,1,2,3,100.25,1e-07,5,6,7,8,1\n");
}

TEST(PairsCsvWriter, QuotesWhatNeedsIt) {
  const auto cell = [](const std::string& text) {
    std::string out;
    AppendCsvCell(text, &out);
    return out;
  };
  EXPECT_EQ(cell("plain/8"), "plain/8");
  EXPECT_EQ(cell(""), "");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(cell(" a"), "\" a\"");
}

// What is written is read again, to the last digit.
TEST(PairsCsvWriter, IsReadBackExactly) {
  const std::vector<std::string> kNames = {
      "BM_A/64", "BM<std::map<int, int>>/\"x\"", "\xC3\xA4\n\r", " ", "'=1+2", ""};
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> times(0, 20);
  std::string text = PairsCsvHeader();
  std::vector<PairsCsvRow> rows;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const bool swapped = i % 3 == 0;
    rows.push_back({kNames[i % kNames.size()], i / 100, i / 10, i, times(random), times(random),
                    swapped ? 9 : 4, swapped ? 4 : 9, 1000, 0, swapped ? 1 : 0});
    AppendPairsCsvRow(rows.back(), &text);
  }
  PairsCsvReader reader;
  ASSERT_TRUE(reader.Add(TextSource(text), "a.csv").ok());
  const PairsData data = reader.Take();
  ASSERT_EQ(data.benchmarks.size(), kNames.size());
  EXPECT_THAT(data.notices, testing::IsEmpty());
  std::vector<std::vector<std::size_t>> next(kNames.size(), std::vector<std::size_t>(20, 0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t b = i % kNames.size();
    EXPECT_EQ(data.benchmarks[b].name, kNames[b]);
    const auto run = static_cast<std::size_t>(rows[i].run);
    const stats::Pair& pair = data.benchmarks[b].runs[run][next[b][run]++];
    EXPECT_EQ(pair.old_time, rows[i].old_ns);
    EXPECT_EQ(pair.new_time, rows[i].new_ns);
    EXPECT_EQ(pair.assignment, rows[i].assignment);
  }
}

}  // namespace
}  // namespace duetbench
