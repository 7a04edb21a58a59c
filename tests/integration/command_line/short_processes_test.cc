// A gate while both CPUs start short processes: they take more time from the variant that takes
// longer, and no verdict may be wrong for that.
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

// BM_FiveTimes does the work of BM_Once five times.
constexpr char kFiveTimes[] = "BM_Once_vs_BM_FiveTimes";

class ShortProcessesTest : public ::testing::Test {
 protected:
  ShortProcessesTest() {
    Request request;
    request.program = "sh";
    request.arguments = {"-c", "while :; do /bin/true; done"};
    for (int i = 0; i < 4; ++i) shells_.push_back(std::make_unique<Program>(request));
  }

  static Outcome Measure(const std::string& max_ratio) {
    return Execute("suite", {std::string("--benchmark_filter=^") + kFiveTimes + "$",
                             "--duet_max_ratio=" + max_ratio, "--duet_runs=6",
                             "--benchmark_min_time=1", "--benchmark_format=json"});
  }

 private:
  std::vector<std::unique_ptr<Program>> shells_;
};

TEST_F(ShortProcessesTest, AGateThatNewKeepsDoesNotFail) {
  if (kSanitized) GTEST_SKIP() << "calls of a sanitizer change the ratio";
  const Outcome outcome = Measure("20");
  EXPECT_NE(outcome.status, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.status, 2) << outcome.out << outcome.err;
  const nlohmann::json row = RowOf(JsonOf(outcome.out), kFiveTimes);
  EXPECT_GT(row.value("ratio", 0.0), 1.7) << row;
  EXPECT_LT(row.value("ratio", 0.0), 15) << row;
}

TEST_F(ShortProcessesTest, AGateThatNewExceedsDoesNotPass) {
  if (kSanitized) GTEST_SKIP() << "calls of a sanitizer change the ratio";
  const Outcome outcome = Measure("1.3");
  EXPECT_NE(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.status, 2) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace duetbench::integration
