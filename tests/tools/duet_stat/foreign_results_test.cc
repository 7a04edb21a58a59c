// Results of Google Benchmark, which duet_stat reads, too.
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string GoogleBenchmarkJson(const std::vector<std::string>& names) {
  json rows = json::array();
  for (int repetition = 0; repetition < 12; ++repetition) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double time = (i == 0 ? 1.0 : 1.5) + 0.001 * repetition;
      rows.push_back({{"name", names[i]},
                      {"run_name", names[i]},
                      {"run_type", "iteration"},
                      {"repetition_index", repetition},
                      {"real_time", time},
                      {"time_unit", "us"}});
    }
  }
  rows.push_back({{"name", names[0] + "_mean"},
                  {"run_name", names[0]},
                  {"run_type", "aggregate"},
                  {"real_time", 77.0}});
  return json({{"context", json::object()}, {"benchmarks", rows}}).dump();
}

TEST(ForeignResults, TwoNamesInOneFileAreCompared) {
  const Outcome outcome = RunDuetStat({"--format=json", "gb.json"},
                                      {{"gb.json", GoogleBenchmarkJson({"Map", "Flat"})}});
  const json result = Json(outcome);
  ASSERT_EQ(result["benchmarks"].size(), 1u) << outcome.out;
  EXPECT_EQ(result["benchmarks"][0]["name"], "Map vs Flat");
  EXPECT_NEAR(result["benchmarks"][0]["old"]["median"], 1005.5, 1e-6)
      << "in ns, without aggregates";
}

TEST(ForeignResults, TwoFilesAreComparedByName) {
  const std::map<std::string, std::string> files = {
      {"a.json", GoogleBenchmarkJson({"A", "B", "C"})},
      {"b.json", GoogleBenchmarkJson({"A", "B", "C"})}};
  EXPECT_EQ(
      Json(RunDuetStat({"--format=json", "--compare=a.json,b.json"}, files))["benchmarks"].size(),
      3u);
  const Outcome refused = RunDuetStat({"a.json"}, files);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("times of 3 benchmarks that were measured apart"));
  EXPECT_THAT(refused.err, HasSubstr("--compare=OLD,NEW"));
}

TEST(ForeignResults, AReportWithFailedDuetsIsNone) {
  const std::string report = R"({"context": {"duet_seed": "1"}, "benchmarks": [{"name": "A",
      "run_name": "A", "run_type": "iteration", "error_occurred": true,
      "error_message": "old threw"}]})";
  const Outcome console = RunDuetStat({"a.json"}, {{"a.json", report}});
  EXPECT_EQ(console.status, 2);
  EXPECT_THAT(console.err, HasSubstr("--format=html makes a page of it"));
}

TEST(ForeignResults, HyperfineAndGo) {
  const std::string hyperfine =
      R"({"results": [{"command": "old", "times": [1.0, 1.1, 1.05, 1.02, 1.01]},
                      {"command": "new", "times": [2.0, 2.1, 2.05, 2.02, 2.01]}]})";
  std::string go = "goos: linux\ngoarch: amd64\n";
  for (const char* time : {"100", "101", "102", "100.5", "101.5"}) {
    absl::StrAppend(&go, "BenchmarkOld/size=8-4 \t 1000\t", time, " ns/op\t16 B/op\n");
    absl::StrAppend(&go, "BenchmarkNew/size=8-4 \t 1000\t2", time, " ns/op\t16 B/op\n");
  }
  const json of_hyperfine = Json(RunDuetStat({"--format=json", "-"}, {{"-", hyperfine}}));
  EXPECT_EQ(of_hyperfine["benchmarks"][0]["name"], "old vs new");
  EXPECT_NEAR(of_hyperfine["benchmarks"][0]["new"]["median"], 2.02e9, 1);
  const json of_go = Json(RunDuetStat({"--format=json", "-"}, {{"-", go}}));
  EXPECT_EQ(of_go["benchmarks"][0]["name"], "Old/size=8 vs New/size=8");
  EXPECT_NEAR(of_go["benchmarks"][0]["old"]["median"], 101, 1e-9);
  EXPECT_EQ(RunDuetStat({"-"}, {{"-", "{\"results\": []}"}}).status, 2);
}

}  // namespace
}  // namespace duetbench::duet_stat
