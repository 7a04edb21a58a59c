// duet_lab as a program, with counts so small that its figures mean nothing: what is tested is that
// each measurement runs and says what it should.
#include <sys/wait.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "duetbench/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr int kNotHere = 77;

struct Outcome {
  int status;
  std::string out;
};

// Runs duet_lab with these arguments, in a shell; stderr comes with stdout if `with_errors`.
Outcome Lab(const std::string& arguments, bool with_errors = false) {
  const std::string command =
      "'" DUET_LAB "' " + arguments + (with_errors ? " 2>&1" : " 2>/dev/null");
  Outcome outcome{-1, ""};
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) outcome.out.append(buffer, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

void ExpectSpread(const Json& spread) {
  EXPECT_LE(spread["min"].get<double>(), spread["median"].get<double>());
  EXPECT_LE(spread["median"].get<double>(), spread["max"].get<double>());
}

TEST(DuetLab, Counters) {
  const Outcome outcome =
      Lab("counters --repetitions=8 --run_ms=4 --events=perf::PAGE-FAULTS --format=json");
  if (outcome.status == kNotHere) GTEST_SKIP() << "needs two CPUs, and leave to count page faults";
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["measurement"], "counters");
  EXPECT_EQ(json["context"]["events"], "perf::PAGE-FAULTS");
  EXPECT_GT(json["context"]["two_readings_ns"].get<double>(), 0);
  ASSERT_EQ(json["rows"].size(), 3u);
  for (const Json& row : json["rows"]) {
    EXPECT_LE(row["time_lo_percent"], row["time_hi_percent"]) << row;
    EXPECT_LE(row["ratio_lo_percent"], row["ratio_hi_percent"]) << row;
    // Of a few milliseconds; on a busy machine either may have had twice as many.
    EXPECT_GT(row["pairs_share"].get<double>(), 0.1) << row;
    EXPECT_LT(row["pairs_share"].get<double>(), 10) << row;
  }
  EXPECT_EQ(json["checks"].size(), 6u);
}

TEST(DuetLab, Rendezvous) {
  const Outcome outcome = Lab("rendezvous --meetings=200 --repetitions=2 --format=json");
  if (outcome.status == kNotHere) GTEST_SKIP() << "a rendezvous needs two CPUs";
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["measurement"], "rendezvous");
  ASSERT_EQ(json["rows"].size(), 4u);
  for (const Json& row : json["rows"]) {
    ExpectSpread(row["skew_p50_ns"]);
    ExpectSpread(row["cost_p99_ns"]);
    EXPECT_LE(row["skew_p50_ns"]["median"], row["skew_p99_ns"]["median"]) << row;
    EXPECT_GE(row["skew_p50_ns"]["min"], 0.0) << row;
  }
  // The lead is part of the aligned start's cost.
  EXPECT_GE(json["rows"][0]["cost_p50_ns"]["median"], 300.0);
  EXPECT_EQ(json["checks"].size(), 3u);
}

TEST(DuetLab, Overhead) {
  const Outcome outcome = Lab("overhead --repetitions=2 --format=json");
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json["rows"].size(), 4u);
  for (const Json& row : json["rows"]) {
    ExpectSpread(row["ns"]);
    EXPECT_GT(row["ns"]["min"], 0.0) << row;
    EXPECT_GT(row["ns_at_48"], 0.0) << row;
  }
  EXPECT_EQ(json["checks"].size(), 2u);
}

TEST(DuetLab, AaCountsWhatTheProgramsSay) {
  const Outcome outcome = Lab("aa --binary='" KNOWN_RATIOS
                              "' --experiments=2 --truth=Once_vs_Twice=2 "
                              "--workload='Once_vs_(Once|Twice)' --format=json -- --duet_runs=3 "
                              "--benchmark_min_time=0.06");
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json["rows"].size(), 3u) << json["rows"];
  EXPECT_EQ(json["rows"][0]["name"], "Once_vs_Once/100");
  EXPECT_EQ(json["rows"][0]["truth"], 1.0);
  EXPECT_EQ(json["rows"][1]["name"], "Once_vs_Twice/100");
  EXPECT_EQ(json["rows"][1]["truth"], 2.0);
  EXPECT_EQ(json["rows"][2]["name"], "all");
  EXPECT_EQ(json["rows"][2]["experiments"], 4);
  EXPECT_EQ(json["rows"][2]["errors"], 0);
  EXPECT_GT(json["rows"][2]["median_wall_s"], 0.0);
  ASSERT_EQ(json["details"]["experiments"].size(), 4u);
  for (const Json& experiment : json["details"]["experiments"]) EXPECT_EQ(experiment["runs"], 3);
}

TEST(DuetLab, AaCountsBenchmarksThatFail) {
  const Outcome outcome = Lab("aa --binary='" KNOWN_RATIOS
                              "' --experiments=2 --workload=Fails --load=1 --check --format=json");
  EXPECT_EQ(outcome.status, 1);  // --check
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["context"]["load"], 1);
  EXPECT_EQ(json["rows"][0]["errors"], 2);
  EXPECT_THAT(json["details"]["experiments"][0]["error"].get<std::string>(),
              HasSubstr("on purpose"));
}

TEST(DuetLab, ErrorsSayWhatIsWrong) {
  const auto expect_error = [](const std::string& arguments, const std::string& words) {
    const Outcome outcome = Lab(arguments, /*with_errors=*/true);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(words)) << arguments;
  };
  expect_error("", "usage: duet_lab");
  expect_error("rendevous", "there is no measurement 'rendevous'");
  expect_error("rendezvous --meetings=0", "--meetings: '0' should be a whole number from 1");
  expect_error("overhead --format=xml", "'xml' should be console, json or csv");
  expect_error("overhead --meetings=5", "unknown argument '--meetings=5'");
  expect_error("rendezvous --cpus=0,99999", "99999");
  expect_error("aa", "--binary=PROGRAM is missing");
  expect_error("aa --binary=/no/such/program --experiments=1", "/no/such/program");
  expect_error("aa --binary=/bin/true --experiments=1", "/bin/true exited with status 0");
  expect_error("aa --binary=x --truth=A", "'A' should be NAME=RATIO");
  expect_error("aa --binary='" KNOWN_RATIOS "' --experiments=1 --workload=Nothing",
               "none that matches --workload");
  expect_error("aa --binary='" KNOWN_RATIOS
               "' --experiments=1 --workload=Fails --truth=Once_vs_Non=2",
               "there was no benchmark 'Once_vs_Non'");
}

TEST(DuetLab, HelpIsNoError) {
  const Outcome outcome = Lab("--help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("usage: duet_lab"));
}

TEST(DuetLab, VersionIsPrinted) {
  const Outcome outcome = Lab("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "duet_lab " DUETBENCH_VERSION_TEXT "\n");
}

}  // namespace
