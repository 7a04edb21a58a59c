// A generated suite within a budget: time, memory, false verdicts, changes found. Prints the
// figures. The environment makes it larger: DUETBENCH_GENERATED=1000 DUETBENCH_BUDGET=600.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

std::string Variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

// This program chooses the number of runs by itself.
Outcome RunGenerated(const std::string& duets, std::vector<std::string> arguments,
                     double* seconds) {
  const auto start = std::chrono::steady_clock::now();
  Request request;
  request.program = "env";
  request.arguments = {"-u",
                       "DUET_RUNS",
                       "-u",
                       "BENCHMARK_MIN_TIME",
                       absl::StrCat("DUETBENCH_GENERATED=", duets),
                       PathOf("generated")};
  request.max_seconds = 3600;
  request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
  Outcome outcome = Execute(request);
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

// The memory of the largest child process so far.
double LargestChildMb() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

TEST(SuiteScaleTest, AGeneratedSuiteIsJudgedWithinItsBudget) {
  // With a sanitizer a process takes longer to start.
  const std::string duets = Variable("DUETBENCH_GENERATED", kSanitized ? "5" : "20");
  const std::string budget = Variable("DUETBENCH_BUDGET", "10");
  double seconds = 0;
  const Outcome outcome = RunGenerated(
      duets, {absl::StrCat("--duet_budget=", budget), "--benchmark_format=json"}, &seconds);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = JsonOf(outcome.out);
  std::map<int, std::pair<int, int>> by_percent;  // duets, of which found
  int false_verdicts = 0;
  int rows = 0;
  double wall = 0;
  double kept = 0;
  for (const nlohmann::json& row : report["benchmarks"]) {
    if (!row.contains("ratio")) continue;
    ++rows;
    const std::string name = row["name"];
    const int percent = std::atoi(name.substr(name.rfind(':') + 1).c_str());
    const std::string verdict = row["label"];
    auto& [count, found] = by_percent[percent];
    ++count;
    found += verdict == (percent > 0 ? "SLOWER" : "EQUAL") ? 1 : 0;
    if (verdict == "FASTER" || (percent == 0 && verdict == "SLOWER")) ++false_verdicts;
    wall += static_cast<double>(row["wall_seconds"]);
    kept += static_cast<double>(row["wall_seconds"]) * static_cast<double>(row["kept_share"]);
  }
  EXPECT_EQ(absl::StrCat(rows), duets);
  const nlohmann::json& suite = report["duet_suite"];
  std::printf(
      "[ SCALE ] %d duets, budget %s s: %.4g s, %.0f MB; %d false verdicts; open %d; kept "
      "%.0f %% of the time of processes\n",
      rows, budget.c_str(), seconds, LargestChildMb(), false_verdicts,
      static_cast<int>(suite["open"]), 100 * kept / wall);
  for (const auto& [percent, counts] : by_percent) {
    std::printf("[ SCALE ] +%d %%: %d of %d %s\n", percent, counts.second, counts.first,
                percent > 0 ? "found" : "EQUAL");
  }
  std::printf("[ SCALE ] bound %s\n",
              suite.value("slowdown_bound", nlohmann::json()).dump().c_str());
  EXPECT_EQ(suite["duets"], rows);
  // Machine states beyond the model cost some verdicts; more would be a fault of the budget.
  EXPECT_LE(false_verdicts, 1 + rows / 20);
}

TEST(SuiteScaleTest, FiveThousandDuetsAreListed) {
  double seconds = 0;
  const Outcome outcome =
      RunGenerated("5000", {"--benchmark_list_tests", "--benchmark_filter=slower:2$"}, &seconds);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 50);
  std::printf("[ SCALE ] 5,000 duets listed in %.3g s, %.0f MB\n", seconds, LargestChildMb());
  EXPECT_LT(LargestChildMb(), 200);
}

}  // namespace
}  // namespace duetbench::integration
