#include "tools/duet_stat/input/pairs_csv.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/input/text_source.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kHeader[] =
    "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags\n";

MATCHER_P3(IsPair, old_time, new_time, assignment, "") {
  return arg.old_time == old_time && arg.new_time == new_time && arg.assignment == assignment;
}

absl::StatusOr<PairsData> ReadPairs(const std::vector<std::string>& texts,
                                    const PairsCsvOptions& options = {}) {
  PairsCsvReader reader(options);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = absl::StrCat(std::string(1, static_cast<char>('a' + i)), ".csv");
    if (absl::Status status = reader.Add(TextSource(texts[i]), name); !status.ok()) return status;
  }
  return reader.Take();
}

std::string PairsError(const std::string& text, const PairsCsvOptions& options = {}) {
  const absl::StatusOr<PairsData> data = ReadPairs({text}, options);
  return data.ok() ? "" : std::string(data.status().message());
}

TEST(PairsCsv, ReadsWhatDuetOutWrites) {
  const PairsData data =
      ReadPairs({std::string(kHeader) + "BM_A,0,0,0,100,110,2,3,10,0\n"
                                        "BM_A,0,1,1,101,111.5,3,2,10,0\n"
                                        "BM_A,1,0,0,102,112,2,3,10,0\n"
                                        "\"BM<a, \"\"b\"\">\",0,0,0,5,6,2,3,10,0\n"})
          .value();
  ASSERT_THAT(data.benchmarks, SizeIs(2));
  EXPECT_EQ(data.benchmarks[0].name, "BM_A");
  EXPECT_EQ(data.benchmarks[1].name, "BM<a, \"b\">");
  EXPECT_FALSE(data.benchmarks[0].is_x_over_y);
  EXPECT_FALSE(data.benchmarks[0].interleaved);
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(100, 110, 0), IsPair(101, 111.5, 1)),
                          ElementsAre(IsPair(102, 112, 0))));
  EXPECT_THAT(data.benchmarks[0].origins[1].number, 1);
  EXPECT_THAT(data.benchmarks[0].origins[1].line, 4u);
  EXPECT_THAT(data.machines, ElementsAre(""));
  EXPECT_THAT(data.notices, IsEmpty());
}

TEST(PairsCsv, ReadsPlainRatios) {
  const PairsData data = ReadPairs({"run,iter,x,y\n0,0,110,100\n7,0,1e3,2\n"}).value();
  ASSERT_THAT(data.benchmarks, SizeIs(1));
  EXPECT_EQ(data.benchmarks[0].name, "x/y");
  EXPECT_TRUE(data.benchmarks[0].is_x_over_y);
  EXPECT_FALSE(data.benchmarks[0].interleaved);
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(100, 110, 0)), ElementsAre(IsPair(2, 1000, 0))));
  EXPECT_EQ(data.benchmarks[0].origins[1].number, 7);
}

TEST(PairsCsv, ReadsWhenRunsBegan) {
  const PairsData data =
      ReadPairs({"run,x,y,start_s\n0,110,100,0\n1,110,100,1.25\n", "run,x,y\n0,1,1\n"}).value();
  EXPECT_EQ(data.benchmarks[0].origins[0].start_s, 0);
  EXPECT_EQ(data.benchmarks[0].origins[1].start_s, 1.25);
  EXPECT_LT(data.benchmarks[0].origins[2].start_s, 0)
      << "files of older versions have no such column";
}

TEST(PairsCsv, ReadsProbesOfTheCore) {
  const PairsData data = ReadPairs({"run,x,y,old_probe_ns,new_probe_ns\n"
                                    "0,110,100,1500,3000\n0,110,100,0,0\n",
                                    "run,x,y\n0,1,1\n"})
                             .value();
  const std::vector<stats::RunPairs>& runs = data.benchmarks[0].runs;
  EXPECT_THAT(runs[0][0].probe_ns, ElementsAre(1500, 3000));
  EXPECT_THAT(runs[0][1].probe_ns, ElementsAre(0, 0));
  EXPECT_THAT(runs[1][0].probe_ns, ElementsAre(0, 0)) << "no such columns";
}

TEST(PairsCsv, ReadsTheSharesOfPauses) {
  const PairsData data = ReadPairs({"run,x,y,old_pause_share,new_pause_share\n"
                                    "0,110,100,0.25,0\n",
                                    "run,x,y\n0,1,1\n"})
                             .value();
  EXPECT_THAT(data.benchmarks[0].origins[0].pause_share, ElementsAre(0.25, 0));
  EXPECT_THAT(data.benchmarks[0].origins[1].pause_share, ElementsAre(0, 0)) << "no such columns";
}

TEST(PairsCsv, FindsColumnsByName) {
  const PairsData data = ReadPairs({" y ,comment, x,run,assignment,,\r\n"
                                    "100,\"so, so\",110,3,1,,\r\n"})
                             .value();
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(ElementsAre(IsPair(100, 110, 1))));
}

TEST(PairsCsv, TheAssignmentColumnGoesBeforeTheCpus) {
  const PairsData data = ReadPairs({"benchmark,run,old_ns,new_ns,old_cpu,new_cpu,flags,assignment\n"
                                    "a,0,1,2,5,4,0,0\na,0,1,2,4,5,0,1\na,0,1,2,4,4,0,1\n"})
                             .value();
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(1, 2, 0), IsPair(1, 2, 1), IsPair(1, 2, 1))));
  EXPECT_FALSE(data.benchmarks[0].interleaved);
}

TEST(PairsCsv, KnowsAnInterleavedBenchmark) {
  const PairsData data =
      ReadPairs({std::string(kHeader) + "duet,0,0,0,1,2,0,1,1,0\nturns,0,0,0,1,2,1,1,1,0\n"
                                        "duet,0,0,1,1,2,1,0,1,0\nturns,0,0,1,1,2,1,1,1,0\n"})
          .value();
  EXPECT_FALSE(data.benchmarks[0].interleaved);
  EXPECT_TRUE(data.benchmarks[1].interleaved);
  EXPECT_THAT(data.benchmarks[1].runs[0], ElementsAre(IsPair(1, 2, 0), IsPair(1, 2, 0)));
}

TEST(PairsCsv, SetsDisturbedPairsAside) {
  const PairsData data =
      ReadPairs({std::string(kHeader) + "a,0,0,0,1,2,0,1,1,1\na,0,0,1,3,4,0,1,1,0\n"
                                        "a,0,0,2,5,6,1,0,1,8\na,0,0,3,0,nan,0,1,1,16\n"
                                        "a,1,0,0,7,8,0,1,1,4\n"})
          .value();
  const BenchmarkPairs& benchmark = data.benchmarks[0];
  EXPECT_THAT(benchmark.runs, ElementsAre(ElementsAre(IsPair(3, 4, 0)), IsEmpty()));
  const RunOrigin& first = benchmark.origins[0];
  ASSERT_THAT(first.disturbed, SizeIs(2));
  EXPECT_EQ(first.disturbed[0].position, 0u);
  EXPECT_THAT(first.disturbed[0].pair, IsPair(1, 2, 0));
  EXPECT_EQ(first.disturbed[1].position, 1u);
  EXPECT_THAT(first.disturbed[1].pair, IsPair(5, 6, 1));
  EXPECT_EQ(first.without_time, 1u);
  EXPECT_THAT(benchmark.origins[1].disturbed, SizeIs(1));
}

TEST(PairsCsv, FilesAreMoreRunsOfTheSameBenchmarks) {
  const PairsData data = ReadPairs({"benchmark,run,x,y\na,0,1,1\nb,0,2,1\na,0,3,1\n",
                                    "benchmark,run,x,y\nb,0,4,1\na,0,5,1\nc,0,6,1\n"})
                             .value();
  ASSERT_THAT(data.benchmarks, SizeIs(3));
  EXPECT_THAT(data.files, ElementsAre("a.csv", "b.csv"));
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(SizeIs(2), SizeIs(1)));
  EXPECT_THAT(data.benchmarks[1].runs, ElementsAre(SizeIs(1), SizeIs(1)));
  EXPECT_EQ(data.benchmarks[2].name, "c");
  EXPECT_EQ(data.benchmarks[0].origins[1].file, 1u);
  EXPECT_EQ(data.benchmarks[0].origins[1].line, 3u);
}

TEST(PairsCsv, RunsNeedNotBeAdjacent) {
  const PairsData data =
      ReadPairs({"run,iter,x,y\n0,0,1,1\n1,0,2,1\n0,1,3,1\n1,1,4,1\n2,0,5,1\n"}).value();
  EXPECT_THAT(data.benchmarks[0].runs,
              ElementsAre(ElementsAre(IsPair(1, 1, 0), IsPair(1, 3, 0)),
                          ElementsAre(IsPair(1, 2, 0), IsPair(1, 4, 0)), SizeIs(1)));
  EXPECT_THAT(data.notices, IsEmpty());
}

TEST(PairsCsv, ARunHasTheLayoutOfItsColumn) {
  const PairsData data = ReadPairs({"run,x,y,layout\n0,1,1,2\n1,2,1,0\n0,3,1,2\n"}).value();
  EXPECT_EQ(data.benchmarks[0].origins[0].layout, 2);
  EXPECT_EQ(data.benchmarks[0].origins[1].layout, 0);
  EXPECT_EQ(ReadPairs({"run,x,y\n0,1,1\n"})->benchmarks[0].origins[0].layout, 0);
  EXPECT_THAT(ReadPairs({"run,x,y,layout\n0,1,1,2\n0,3,1,1\n"}).status().message(),
              testing::HasSubstr(":3: layout 1 in run 0, which began with layout 2"));
  EXPECT_THAT(ReadPairs({"run,x,y,layout\n0,1,1,one\n"}).status().message(),
              testing::HasSubstr("layout is not a whole number: 'one'"));
}

TEST(PairsCsv, APairHasTheRoundOfItsColumn) {
  const PairsData data = ReadPairs({"run,x,y,round\n0,1,1,0\n0,2,1,1\n"}).value();
  EXPECT_EQ(data.benchmarks[0].runs[0][0].round, 0);
  EXPECT_EQ(data.benchmarks[0].runs[0][1].round, 1);
  EXPECT_EQ(ReadPairs({"run,x,y\n0,1,1\n"})->benchmarks[0].runs[0][0].round, 0);
  for (const char* wrong : {"-1", "256", "first"}) {
    EXPECT_THAT(ReadPairs({absl::StrCat("run,x,y,round\n0,1,1,", wrong, "\n")}).status().message(),
                testing::HasSubstr("round is no number of a round, 0 to 255"));
  }
}

TEST(PairsCsv, MachinesAreMarkedByAColumnOrByTheFile) {
  const std::string first = "machine,run,x,y\nalpha,0,1,1\nbeta,0,2,1\nalpha,1,3,1\n";
  const std::string second = "run,x,y\n0,4,1\n";
  PairsData data = ReadPairs({first, second}).value();
  EXPECT_THAT(data.machines, ElementsAre("alpha", "beta", ""));
  ASSERT_THAT(data.benchmarks[0].origins, SizeIs(4));
  EXPECT_EQ(data.benchmarks[0].origins[0].machine, 0);
  EXPECT_EQ(data.benchmarks[0].origins[1].machine, 1);  // the same run number, another run
  EXPECT_EQ(data.benchmarks[0].origins[2].machine, 0);
  EXPECT_EQ(data.benchmarks[0].origins[3].machine, 2);

  PairsCsvOptions options;
  options.machine = MachineMark::kFile;
  data = ReadPairs({first, second}, options).value();
  EXPECT_THAT(data.machines, ElementsAre("a.csv", "b.csv"));
  ASSERT_THAT(data.benchmarks[0].origins, SizeIs(3));  // run 0 of alpha and beta is one run here
  EXPECT_EQ(data.benchmarks[0].origins[2].machine, 1);
}

TEST(PairsCsv, NoticesWhatIsOdd) {
  const PairsData data =
      ReadPairs({"run,iter,x,y\n0,0,1,1\n0,1,1,1\n0,0,1,1\n0,1,1,1\n\n0,1,1,1\n1,5,1,1\n1,7,1,1"})
          .value();
  EXPECT_THAT(data.notices,
              ElementsAre(AllOf(StartsWith("a.csv:4: the iteration number does not ascend within "
                                           "run 0 (2 such lines)"),
                                HasSubstr("twice?")),
                          "a.csv: 1 blank line", StartsWith("a.csv:9: the file ends inside")));
  EXPECT_THAT(data.benchmarks[0].runs, ElementsAre(SizeIs(5), SizeIs(2)));
}

struct BadFile {
  const char* text;
  const char* error;
};

TEST(PairsCsv, RefusesBadFilesWithFileAndLine) {
  const BadFile kBad[] = {
      {"", "a.csv: the file is empty"},
      {"\n\n", "a.csv: the file is empty"},
      {"run,x,y\n", "a.csv:2: no pairs behind the header"},
      {"run,x\n0,1\n", "a.csv:1: no column 'y'; a file of pairs has"},
      {"0,0,110,100\n0,1,111,100\n", "a.csv:1: no column 'run', 'x', 'y'"},
      {"run;x;y\n0;1;1\n", "a.csv:1: no column 'run', 'x', 'y'"},
      {"benchmark,run,old_ns\na,0,1\n", "a.csv:1: no column 'new_ns', 'flags'"},
      {"run,x,y,y\n0,1,1,1\n", "a.csv:1: the column 'y' is there twice"},
      {"run,x,y,x\n0,1,1,1\n", "a.csv:1: the column 'x' is there twice"},
      {"run,x,y\n0,1,1\n0,1\n", "a.csv:3: 2 cells, but the header has 3: is the line cut off?"},
      {"run,x,y\n0,1,1\n0", "a.csv:3: 1 cell, but the header has 3: is the line cut off?"},
      {"run,x,y\n0,1,1,1\n", "a.csv:2: 4 cells, but the header has 3: a cell with a comma must"},
      {"run,x,y\n0,0,1\n", "a.csv:2: x is 0: times are positive"},
      {"run,x,y\n0,1,-5\n", "a.csv:2: y is -5: times are positive"},
      {"run,x,y\n0,nan,1\n", "a.csv:2: x is nan: times are finite"},
      {"run,x,y\n0,1,inf\n", "a.csv:2: y is inf: times are finite"},
      {"run,x,y\n0,,1\n", "a.csv:2: x is empty"},
      {"run,x,y\n0,abc,1\n", "a.csv:2: x is not a number: 'abc'"},
      {"run,x,y\n0,1.5.2,1\n", "a.csv:2: x is not a number: '1.5.2'"},
      {"run,x,y\n0,1e61,1\n", "a.csv:2: x is 1e61: times are between 1e-60 and 1e60"},
      {"run,x,y\n0,1,1e-300\n", "a.csv:2: y is 1e-300: times are between 1e-60"},
      {"run,x,y\n1.5,1,1\n", "a.csv:2: run is not a whole number: '1.5'"},
      {"run,x,y\n,1,1\n", "a.csv:2: run is not a whole number: ''"},
      {"run,iter,x,y\n0,z,1,1\n", "a.csv:2: iter is not a whole number: 'z'"},
      {"run,x,y,assignment\n0,1,1,2\n", "a.csv:2: assignment is neither 0 nor 1"},
      {"run,x,y\n0,1,1\nrun,x,y\n0,1,1\n", "a.csv:3: the header once more"},
      {"run,x,y\n0,\"1,1\n", "a.csv:2: a quote is opened but not closed"},
      {"benchmark,run,old_ns,new_ns,flags\na,0,1,1,x\n", "a.csv:2: flags is not a whole number"},
      {"benchmark,run,old_ns,new_ns,flags\na,0,1,x,1\n", "a.csv:2: new_ns is not a number: 'x'"},
      {"run,x,y,start_s\n0,1,1,soon\n", "a.csv:2: start_s is not a number of seconds"},
      {"run,x,y,old_probe_ns,new_probe_ns\n0,1,1,-1,1\n", "a.csv:2: old_probe_ns is"},
      {"run,x,y,old_pause_share,new_pause_share\n0,1,1,0,-1\n",
       "a.csv:2: new_pause_share is not a share of at least 0"},
      {"run,x,y,start_s\n0,1,1,inf\n", "a.csv:2: start_s is not a number of seconds"},
      {"benchmark,run,old_ns,new_ns,flags,old_cpu,new_cpu\na,0,1,1,0,0,b\n",
       "a.csv:2: new_cpu is not the number of a CPU"},
  };
  for (const BadFile& bad : kBad)
    EXPECT_THAT(PairsError(bad.text), StartsWith(bad.error)) << bad.text;
}

TEST(PairsCsv, RefusesBinaryFiles) {
  EXPECT_THAT(PairsError(std::string("\x7f"
                                     "ELF\0\0\1\n\0,\0",
                                     11)),
              StartsWith("a.csv:1: no column"));
  EXPECT_THAT(PairsError(std::string("benchmark,run,x,y\nB\0,0,1,1\n", 27)),
              StartsWith("a.csv:2: a zero byte in the name"));
}

TEST(PairsCsv, RefusesMoreThanTheMemoryLimit) {
  const auto error = [](const ByteSource& source) {
    PairsCsvOptions options;
    options.memory_limit = 1 << 20;
    PairsCsvReader reader(options);
    const absl::Status status = reader.Add(source, "big.csv");
    EXPECT_TRUE(absl::IsResourceExhausted(status));
    return std::string(status.message());
  };
  EXPECT_THAT(
      error(EndlessSource("run,x,y\n", [](std::size_t) { return "0,1,1\n"; })),
      AllOf(StartsWith("big.csv:327"), HasSubstr(": the data is larger than the limit of 1 MiB")));
  EXPECT_THAT(
      error(EndlessSource("run,x,y\n", [](std::size_t i) { return absl::StrCat(i, ",1,1\n"); })),
      HasSubstr("larger than the limit"));
  EXPECT_THAT(error(EndlessSource("benchmark,run,x,y\n",
                                  [](std::size_t i) {
                                    return std::string(10000, 'b') + absl::StrCat(i, ",0,1,1\n");
                                  })),
              HasSubstr("larger than the limit"));
  EXPECT_THAT(error(EndlessSource("benchmark,run,old_ns,new_ns,flags\n",
                                  [](std::size_t) { return "a,0,1,1,1\n"; })),
              HasSubstr("larger than the limit"));
}

TEST(PairsCsv, PassesOnWhatTheSourceReports) {
  PairsCsvReader reader;
  const ByteSource source = [](char*, std::size_t) -> absl::StatusOr<std::size_t> {
    return absl::UnavailableError("cannot read d: Is a directory");
  };
  EXPECT_EQ(reader.Add(source, "d"), absl::UnavailableError("cannot read d: Is a directory"));
}

}  // namespace
}  // namespace duetbench::duet_stat
