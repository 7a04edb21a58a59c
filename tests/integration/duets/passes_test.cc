// Inputs of which a short run sees only the head.
#include <nlohmann/json.hpp>
#include <string>

#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

// Runs are as long as the input asks for.
nlohmann::json Measured(const std::string& filter) {
  const Outcome outcome =
      Execute(Freely("special", {"--benchmark_filter=^" + filter + "$", "--benchmark_format=json",
                                 "--benchmark_min_time=1"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return RowOf(JsonOf(outcome.out), filter);
}

// A long run has a ratio of 2.2.
TEST(Passes, ARunThatSeesOnlyTheHeadDecidesNothing) {
  for (const char* form : {"called", "loop", "function"}) {
    const nlohmann::json row = Measured(form);
    EXPECT_NE(row["label"], "EQUAL") << row;
    EXPECT_NE(row["label"], "FASTER") << row;
    EXPECT_GT(row["ratio"], 1.5) << row;
    // Without an interval, the runs see a part of the input.
    EXPECT_GT(row.value("ratio_hi", 3.0), 2.0) << row;
    EXPECT_LT(row.value("ratio_lo", 1.0), 2.5) << row;
  }
}

TEST(Passes, TheSeedOfARunIsThatOfBothVariants) {
  const nlohmann::json report = ReportOf("special", "^drawn$");
  const std::string seed = RowOf(report, "drawn/old")["label"];
  EXPECT_GT(seed.size(), 5u);
  EXPECT_EQ(RowOf(report, "drawn/new")["label"], seed);
}

}  // namespace
}  // namespace duetbench::integration
