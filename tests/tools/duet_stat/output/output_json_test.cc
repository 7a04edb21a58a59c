#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/decision/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

BenchmarkResult ResultOf(const stats::SyntheticRuns& model, const Options& options,
                         const std::string& name = "BM") {
  return Analyze(PairsOf(model.Make(1), name), {"a.csv"}, options);
}

std::vector<std::string> Keys(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(JsonText, HasTheSchema) {
  Options options;
  options.files = {"a.csv"};
  options.rules = {Rule::kDuet, Rule::kWelch};
  options.mds = true;
  const json out = json::parse(JsonText({ResultOf({}, options)}, {"odd"}, options));
  EXPECT_EQ(out["context"]["files"][0], "a.csv");
  EXPECT_EQ(out["notices"][0], "odd");
  const json& benchmark = out["benchmarks"][0];
  EXPECT_EQ(benchmark["name"], "BM");
  EXPECT_EQ(benchmark["runs"], 10);
  EXPECT_EQ(benchmark["pairs"], 1000);
  EXPECT_EQ(benchmark["dropped"], 0);
  EXPECT_FALSE(benchmark.contains("error"));
  EXPECT_THAT(Keys(benchmark["estimates"]),
              testing::UnorderedElementsAre("trimmed", "geomean", "median"));
  EXPECT_EQ(benchmark["run_log_ratios"].size(), 10u);
  EXPECT_EQ(benchmark["verdict"], "EQUAL");
  const json& interval = benchmark["intervals"][0];
  EXPECT_EQ(interval["method"], "robust");
  EXPECT_EQ(interval["estimator"], "trimmed");
  EXPECT_EQ(interval["level"], 0.99);
  EXPECT_LT(interval["lo"], interval["ratio"]);
  EXPECT_LT(interval["ratio"], interval["hi"]);
  EXPECT_FALSE(interval.contains("warning"));
  const json& diagnosis = benchmark["diagnosis"];
  for (const char* key : {"pairing_gain", "pairing_gain_all", "correlation", "lag1", "run_to_noise",
                          "side_bias", "drift", "run_drift"}) {
    EXPECT_TRUE(diagnosis[key].is_number()) << key;
  }
  EXPECT_EQ(diagnosis["clusters"], 1);
  EXPECT_EQ(diagnosis["tails_differ"], false);
  for (const char* key : {"s1_2", "t2_2", "mds", "mds_upper", "mds_resampled"}) {
    EXPECT_TRUE(benchmark["planning"][key].is_number()) << key;
  }
  EXPECT_TRUE(benchmark["planning"].contains("best_iterations"));
  EXPECT_EQ(benchmark["rules"][0]["name"], "duet");
  EXPECT_FALSE(benchmark["rules"][0].contains("p"));
  EXPECT_TRUE(benchmark["rules"][1]["p"].is_number());
  EXPECT_TRUE(benchmark["rules"][1]["effect"].is_number());
}

TEST(JsonText, DiagnosisIsInFractions) {
  stats::SyntheticRuns model;
  model.second_cpu_slower = 0.02;
  model.iteration_drift = 0.1;
  model.slow_share = 0.05;
  model.slow_size = 0.7;
  const Options options;
  const json out = json::parse(JsonText({ResultOf(model, options)}, {}, options));
  const json& diagnosis = out["benchmarks"][0]["diagnosis"];
  EXPECT_NEAR(std::abs(diagnosis["side_bias"].get<double>()), 0.02, 0.006);
  EXPECT_NEAR(diagnosis["drift"].get<double>(), 0.067, 0.02);
  EXPECT_EQ(diagnosis["tails_differ"], true);
  EXPECT_THAT(diagnosis["significant"], ElementsAre("side_bias", "drift"));
}

TEST(JsonText, HasNoInfinityAndNoNan) {
  BenchmarkResult result = ResultOf({}, Options());
  result.intervals[0].interval->lo = 0;
  result.intervals[0].interval->hi = std::numeric_limits<double>::infinity();
  result.intervals[0].interval->warning = "few";
  result.planning.best_pairs = std::numeric_limits<double>::infinity();
  result.diagnosis.lag1 = std::nullopt;
  const json out = json::parse(JsonText({result}, {}, Options()));
  const json& benchmark = out["benchmarks"][0];
  EXPECT_EQ(benchmark["intervals"][0]["lo"], "0");
  EXPECT_EQ(benchmark["intervals"][0]["hi"], "inf");
  EXPECT_EQ(benchmark["intervals"][0]["warning"], "few");
  EXPECT_EQ(benchmark["planning"]["best_iterations"], "inf");
  EXPECT_TRUE(benchmark["diagnosis"]["lag1"].is_null());
}

TEST(JsonText, TellsWhatCouldNotBeGiven) {
  Options options;
  options.kinds = {stats::IntervalKind::kT, stats::IntervalKind::kEwc};
  const json out = json::parse(JsonText({ResultOf({}, options)}, {}, options));
  const json& interval = out["benchmarks"][0]["intervals"][1];
  EXPECT_THAT(interval["error"].get<std::string>(), HasSubstr("for a single run"));
  EXPECT_FALSE(interval.contains("lo"));
}

TEST(JsonText, AnyNameMakesValidJson) {
  const Options options;
  const std::string name = "\"quoted\"\n\x1b[31m \xC3\xA4 \xff\xfe";
  const json out = json::parse(JsonText({ResultOf({}, options, name)}, {}, options));
  EXPECT_EQ(out["benchmarks"][0]["name"], "\"quoted\"\n\x1b[31m \xC3\xA4 \xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace duetbench::duet_stat
