#include <limits>
#include <nlohmann/json.hpp>

#include "duetbench/report/suite_bmf.h"
#include "duetbench/report/suite_gobench.h"
#include "duetbench/report/suite_openmetrics.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

SuiteEntry WithRunTimes(SuiteEntry entry) {
  entry.run_times.resize(3);
  for (int run = 0; run < 3; ++run) {
    entry.run_times[run].mean[0] = 124 + run;
    entry.run_times[run].mean[1] = 99.5 + run;
    entry.run_times[run].pairs = 40;
  }
  return entry;
}

json BmfOf(const std::vector<SuiteEntry>& suite) { return json::parse(SuiteBmf(suite)); }

TEST(SuiteBmf, HasTheRatioAndBothTimesUnderNamesOfTheirOwn) {
  const json bmf = BmfOf({WithRunTimes(Passing("a/8")), Broken("b"), NotMeasured("c")});
  EXPECT_EQ(bmf.size(), 3u) << bmf;
  EXPECT_EQ(bmf["a/8"], json::parse(R"({"ratio": {"value": 1.0, "lower_value": 0.99,
                                                  "upper_value": 1.01}})"));
  EXPECT_EQ(bmf["a/8/old"]["latency"]["value"], 125);
  EXPECT_EQ(bmf["a/8/new"]["latency"]["value"], 100);
  EXPECT_LT(bmf["a/8/old"]["latency"]["lower_value"], 124);
  EXPECT_GT(bmf["a/8/old"]["latency"]["upper_value"], 126);
}

TEST(SuiteBmf, LeavesOutWhatIsNotKnown) {
  SuiteEntry entry = Passing("a");
  entry.comparison.estimate()->interval.hi = std::numeric_limits<double>::infinity();
  const json bmf = BmfOf({entry});
  EXPECT_FALSE(bmf["a"]["ratio"].contains("upper_value"));
  EXPECT_EQ(bmf["a/old"]["latency"].size(), 1u) << "no run means";
  EXPECT_EQ(BmfOf({}), json::object());
}

TEST(SuiteBmf, PoolsRepetitions) {
  std::vector<SuiteEntry> suite = {Passing("a"), Passing("a")};
  suite[0].comparison.estimate()->run_log_ratios = {0.1, 0.2};
  suite[1].comparison.estimate()->run_log_ratios = {0.3, 0.4};
  const json bmf = BmfOf(suite);
  EXPECT_EQ(bmf.size(), 3u);
  EXPECT_NEAR(bmf["a"]["ratio"]["value"], std::exp(0.25), 1e-12);
}

TEST(SuiteGobench, HasTwoLinesForEachRun) {
  const std::string text =
      SuiteGobench({WithRunTimes(Passing("BM_A<int, 2>/8")), Broken("b")}, "bench");
  EXPECT_EQ(text,
            "pkg: bench\n"
            "BenchmarkBM_A<int,_2>/8/variant=old 40 124 ns/op\n"
            "BenchmarkBM_A<int,_2>/8/variant=new 40 99.5 ns/op\n"
            "BenchmarkBM_A<int,_2>/8/variant=old 40 125 ns/op\n"
            "BenchmarkBM_A<int,_2>/8/variant=new 40 100.5 ns/op\n"
            "BenchmarkBM_A<int,_2>/8/variant=old 40 126 ns/op\n"
            "BenchmarkBM_A<int,_2>/8/variant=new 40 101.5 ns/op\n");
  // Benchfmt takes "Benchmarka" for a word, not for a benchmark.
  EXPECT_THAT(SuiteGobench({WithRunTimes(Passing("a"))}, "bench"),
              HasSubstr("\nBenchmark_a/variant=old 40 "));
}

std::string MetricsOf(const std::vector<SuiteEntry>& suite) {
  return SuiteOpenMetrics(suite, GateStatuses(suite), "bench");
}

TEST(SuiteOpenMetrics, HasEveryNumberAndState) {
  const std::string text = MetricsOf({Failing("a")});
  const std::string labels = "{program=\"bench\",benchmark=\"a\",repetition=\"0\"";
  for (const char* sample :
       {"duetbench_ratio@} 1.07\n", "duetbench_ratio_lower@} 1.06\n",
        "duetbench_ratio_upper@} 1.08\n", "duetbench_time_seconds@,variant=\"old\"} 1.25e-07\n",
        "duetbench_verdict@,duetbench_verdict=\"SLOWER\"} 1\n",
        "duetbench_verdict@,duetbench_verdict=\"FASTER\"} 0\n",
        "duetbench_gate@,duetbench_gate=\"FAIL\"} 1\n",
        "duetbench_gate@,duetbench_gate=\"PASS\"} 0\n", "duetbench_error@} 0\n"}) {
    std::string expected = sample;
    expected.replace(expected.find('@'), 1, labels);
    EXPECT_THAT(text, HasSubstr("\n" + expected));
  }
  EXPECT_THAT(text, EndsWith("\n# EOF\n"));
}

TEST(SuiteOpenMetrics, RepetitionsErrorsAndOddNamesAreDistinct) {
  SuiteEntry endless = Ungated("q\"\\\n");
  endless.comparison.estimate()->interval.hi = std::numeric_limits<double>::infinity();
  const std::string text = MetricsOf({Ungated("a"), Ungated("a"), Broken("b"), endless});
  EXPECT_THAT(text,
              HasSubstr("duetbench_ratio{program=\"bench\",benchmark=\"a\",repetition=\"1\"}"));
  EXPECT_THAT(text,
              HasSubstr("duetbench_error{program=\"bench\",benchmark=\"b\",repetition=\"0\"} 1"));
  EXPECT_THAT(text, Not(HasSubstr("duetbench_ratio{program=\"bench\",benchmark=\"b\"")));
  EXPECT_THAT(text, HasSubstr("duetbench_ratio_upper{program=\"bench\",benchmark=\"q\\\"\\\\ \","
                              "repetition=\"0\"} +Inf\n"));
  EXPECT_THAT(text, Not(HasSubstr("duetbench_gate{")));
}

}  // namespace
}  // namespace duetbench
