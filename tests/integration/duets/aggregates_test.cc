// Rows made of several: statistics of repetitions, and complexities.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;

json Report(std::vector<std::string> arguments) {
  arguments.emplace_back("--benchmark_format=json");
  const Outcome outcome = Execute("aggregates", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return JsonOf(outcome.out);
}

TEST(AggregatesTest, ADuetHasNone) {
  const json report = Report({"--benchmark_filter=^(Counted|Grows)", "--benchmark_repetitions=3",
                              "--benchmark_report_aggregates_only"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Counted/old", "Counted/new", "Counted", "Grows/64/old", "Grows/64/new",
                          "Grows/64", "Grows/512/old", "Grows/512/new", "Grows/512"));
}

TEST(AggregatesTest, OrdinaryBenchmarksKeepTheirs) {
  const json report = Report({"--benchmark_filter=^Ordinary$", "--benchmark_repetitions=2"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Ordinary", "Ordinary", "Ordinary_mean", "Ordinary_median",
                          "Ordinary_stddev", "Ordinary_cv", "Ordinary_largest"));
  EXPECT_THAT(NamesOf(Report({"--benchmark_filter=^OrdinaryGrows"})),
              Contains("OrdinaryGrows_BigO"));
}

}  // namespace
}  // namespace duetbench::integration
