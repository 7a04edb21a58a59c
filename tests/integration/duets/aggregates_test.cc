// Repetitions, their statistics, and complexities.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;

json Report(std::vector<std::string> arguments) {
  arguments.emplace_back("--benchmark_format=json");
  const Outcome outcome = Execute("aggregates", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return JsonOf(outcome.out);
}

TEST(AggregatesTest, ADuetHasNone) {
  const json report = Report({"--benchmark_filter=^Counted", "--benchmark_repetitions=3",
                              "--benchmark_report_aggregates_only"});
  EXPECT_THAT(NamesOf(report), ElementsAre("Counted/old", "Counted/new", "Counted"));
}

TEST(AggregatesTest, OrdinaryBenchmarksKeepTheirs) {
  const json report = Report({"--benchmark_filter=^Ordinary$", "--benchmark_repetitions=2"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Ordinary", "Ordinary", "Ordinary_mean", "Ordinary_median",
                          "Ordinary_stddev", "Ordinary_cv", "Ordinary_largest"));
}

// --- Complexity ---

TEST(ComplexityTest, IsFittedForEachVariant) {
  const json report = Report({"--benchmark_filter=^Grows", "--benchmark_min_time=0.1"});
  const std::vector<std::string> names = NamesOf(report);
  ASSERT_EQ(names.size(), 4u * 3 + 4);
  EXPECT_EQ(names[12], "Grows/manual_time/old_BigO");
  EXPECT_EQ(RowOf(report, "Grows/manual_time/old_BigO")["big_o"], "(1)");
  const json fit = RowOf(report, "Grows/manual_time/new_BigO");
  EXPECT_EQ(fit["big_o"], "N");
  EXPECT_NEAR(fit["real_coefficient"], 1, 1e-6);
  // JSON has the RMS of CPU time, the table that of both.
  EXPECT_THAT(
      Execute("aggregates", {"--benchmark_filter=^Grows"}).out,
      ContainsRegex("\nGrows/manual_time/old_RMS  +0 % .*\nGrows/manual_time/new_RMS  +0 % "));
}

TEST(ComplexityTest, IsInTheTableAndInCsv) {
  const std::vector<std::string> arguments = {"--benchmark_filter=^Lambda"};
  EXPECT_THAT(Execute("aggregates", arguments).out,
              ContainsRegex("\nLambda/old_BigO  +[0-9.]+ f\\(N\\) .*\nLambda/new_BigO  +[0-9.]+ "
                            "f\\(N\\) .*\nLambda/old_RMS  +[0-9]+ % .*\nLambda/new_RMS "));
  const Outcome csv = Execute("aggregates", {arguments[0], "--benchmark_format=csv"});
  EXPECT_THAT(csv.out, ContainsRegex("\n\"Lambda/old_BigO\",,[0-9.]+,[0-9.]+,f\\(N\\),"));
}

TEST(ComplexityTest, OrdinaryBenchmarksKeepTheirs) {
  const json report = Report({"--benchmark_filter=Grows", "--benchmark_min_time=0.01"});
  const std::vector<std::string> names = NamesOf(report);
  EXPECT_THAT(names, Contains("OrdinaryGrows_BigO"));
  EXPECT_THAT(names, Contains("Grows/manual_time/old_BigO"));
  EXPECT_EQ(RowOf(report, "OrdinaryGrows_BigO")["big_o"], "N") << "as it was told";
}

}  // namespace
}  // namespace duetbench::integration
