#include "tools/duet_stat/input/times_csv.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/input/text_source.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

absl::StatusOr<TimesData> ReadTimes(const std::string& text, const PairsCsvOptions& options = {}) {
  return ReadTimesCsv(TextSource(text), "a.csv", options);
}

std::string TimesError(const std::string& text) {
  const absl::StatusOr<TimesData> data = ReadTimes(text);
  return data.ok() ? "" : std::string(data.status().message());
}

TEST(TimesCsv, ReadsRunsOfBenchmarks) {
  const TimesData data =
      ReadTimes("benchmark,run,time\nA,0,1\nA,0,2\nA,1,3\nB,0,4\nA,0,5\n").value();
  ASSERT_EQ(data.benchmarks.size(), 2u);
  EXPECT_EQ(data.benchmarks[0].name, "A");
  EXPECT_THAT(data.benchmarks[0].sample.runs, ElementsAre(ElementsAre(1, 2, 5), ElementsAre(3)));
  EXPECT_THAT(data.benchmarks[0].sample.machine, IsEmpty());
  EXPECT_THAT(data.benchmarks[1].sample.runs, ElementsAre(ElementsAre(4)));
  EXPECT_THAT(data.notices, IsEmpty());
}

TEST(TimesCsv, ABareColumnIsOneRun) {
  const TimesData data = ReadTimes("time_ns\n1.5\n2.5\n").value();
  EXPECT_EQ(data.benchmarks[0].name, "time");
  EXPECT_THAT(data.benchmarks[0].sample.runs, ElementsAre(ElementsAre(1.5, 2.5)));
  EXPECT_THAT(data.notices, ElementsAre("a.csv: no column 'run': all times count as one run"));
}

TEST(TimesCsv, ReadsMachines) {
  const TimesData data = ReadTimes("machine,run,time\nm,0,1\nn,0,2\nm,1,3\n").value();
  EXPECT_THAT(data.benchmarks[0].sample.runs,
              ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(data.benchmarks[0].sample.machine, ElementsAre(0, 1, 0));
}

TEST(TimesCsv, RefusesBadFilesWithFileAndLine) {
  EXPECT_EQ(TimesError(""), "a.csv: the file is empty");
  EXPECT_EQ(TimesError("time\n"), "a.csv:2: no times behind the header");
  EXPECT_THAT(TimesError("run,x\n0,1\n"), StartsWith("a.csv:1: no column 'time'"));
  EXPECT_THAT(TimesError("run,time\n0,1\n0\n"),
              StartsWith("a.csv:3: 1 cell, but the header has 2"));
  EXPECT_EQ(TimesError("run,time\n0,0\n"), "a.csv:2: time is 0: times are positive");
  EXPECT_EQ(TimesError("run,time\n0,nan\n"), "a.csv:2: time is nan: times are finite");
  EXPECT_EQ(TimesError("run,time\n0,x\n"), "a.csv:2: time is not a number: 'x'");
  EXPECT_EQ(TimesError("run,time\na,1\n"), "a.csv:2: run is not a whole number: 'a'");
  EXPECT_THAT(TimesError("run,time\n0,1\nrun,time\n"), StartsWith("a.csv:3: the header once more"));
  EXPECT_THAT(TimesError(std::string("benchmark,time\n\0,1\n", 19)),
              StartsWith("a.csv:2: a zero byte in the name"));
}

TEST(TimesCsv, RefusesMoreThanTheMemoryLimit) {
  PairsCsvOptions options;
  options.memory_limit = 1 << 20;
  const absl::StatusOr<TimesData> data =
      ReadTimesCsv(EndlessSource("time\n", [](std::size_t) { return "1\n"; }), "big.csv", options);
  EXPECT_TRUE(absl::IsResourceExhausted(data.status()));
  EXPECT_THAT(std::string(data.status().message()), StartsWith("big.csv:1309"));
}

}  // namespace
}  // namespace duetbench::duet_stat
