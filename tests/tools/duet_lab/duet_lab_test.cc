// duet_lab as a program, with counts so small that its figures mean nothing: what is tested is that
// each measurement runs and says what it should.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "duetbench/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr int kNotHere = 77;

constexpr char kLab[] = "exec '" DUET_LAB "' ";

// Runs duet_lab with these arguments, in a shell. Duets have two runs of 20 ms (program.h).
Outcome Lab(const std::string& arguments) { return Execute(InShell(kLab + arguments)); }

TEST(DuetLab, AaCountsWhatTheProgramsSay) {
  const Outcome outcome = Lab("aa --binary='" KNOWN_RATIOS
                              "' --experiments=2 --truth=Once_vs_Twice=2 "
                              "--format=json -- --duet_runs=3 --benchmark_min_time=0.06 "
                              "--benchmark_filter='Once_vs_(Once|Twice)'");
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
                              "' --experiments=2 --load=1 --check --format=json -- "
                              "--benchmark_filter=Fails");
  EXPECT_EQ(outcome.status, 1);  // --check
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["context"]["load"], 1);
  EXPECT_EQ(json["rows"][0]["errors"], 2);
  EXPECT_THAT(json["details"]["experiments"][0]["error"].get<std::string>(),
              HasSubstr("on purpose"));
}

TEST(DuetLab, PrecisionMeasuresTheSameWithAllContestants) {
  const Outcome outcome =
      Lab("precision --quick --workloads=sort --loads=bursts --ratio=1.5 --format=json -- "
          "--duet_schedule=interleaved");
  if (outcome.status == kNotHere) GTEST_SKIP() << "needs two CPUs";
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json["rows"].size(), 2u);
  const Json& row = json["rows"][0];
  EXPECT_EQ(row["load"], "bursts");
  // null: beside such a load short runs need not have an interval.
  const auto at_least_0 = [](const Json& value) { return value.is_null() || value >= 0; };
  EXPECT_PRED1(at_least_0, row["to_abba"]);
  // The geometric mean of one.
  if (row["to_abba"].is_number()) {
    EXPECT_NEAR(json["rows"][1]["to_abba"].get<double>() / row["to_abba"].get<double>(), 1, 1e-9);
  }
  for (const std::string contestant : {"duet", "abba", "repetitions"}) {
    EXPECT_EQ(row[contestant + "_false"], 0) << row;
    EXPECT_PRED1(at_least_0, row[contestant + "_width"]);
  }
}

// Two pairs, and short times.
const std::string kTwoPairs =
    "replicate --pairs='stoi|set_vs' --plain=2 --plain_time=0.002 --format=json ";

// The keys of the tasks in a state file, each once or the test fails.
std::set<std::string> TasksOf(const std::vector<std::string>& lines) {
  std::set<std::string> tasks;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Json record = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(record.is_object()) << lines[i];
    EXPECT_TRUE(tasks.insert(record.value("key", "")).second) << lines[i];
  }
  return tasks;
}

TEST(DuetLab, ReplicateMeasuresDuetsAndPlainLoops) {
  const int links = access(DUET_LAB "_link_1", X_OK) == 0 ? 2 : 1;  // depends on the linker
  const Outcome outcome =
      Lab(kTwoPairs + "--replications=2 --over=1s --relink=" + std::to_string(links) +
          " -- --duet_schedule=interleaved");
  if (outcome.status == kNotHere) GTEST_SKIP() << "needs two CPUs";
  ASSERT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.out);
  // Two pairs, of which one is held out, and three sets.
  ASSERT_EQ(json["rows"].size(), 5u);
  EXPECT_EQ(json["rows"][0]["pair"], "set_vs_sorted_vector");
  EXPECT_EQ(json["rows"][2]["pair"], "tuning, 1 pairs");
  EXPECT_EQ(json["rows"][3]["pair"], "hold-out, 1 pairs");
  for (const Json& row : json["rows"]) {
    EXPECT_EQ(row["errors"], 0) << row;
    EXPECT_EQ(row["between_links"]["deviation_percent"].is_number(), links == 2) << row;
    if (!row.contains("replications")) continue;
    EXPECT_EQ(row["replications"], 2) << row;
    EXPECT_EQ(row["plain_visits"], 2) << row;
    EXPECT_EQ(row["consistent"]["of"], 2) << row;
    EXPECT_GT(row["ratio"]["ratio"].get<double>(), 0.1) << row;
    EXPECT_LT(row["ratio"]["ratio"].get<double>(), 10) << row;
    EXPECT_GT(row["plain"]["ratio"].get<double>(), 0.1) << row;
    EXPECT_LT(row["plain"]["ratio"].get<double>(), 10) << row;
    EXPECT_GT(row["half_width_percent"].get<double>(), 0) << row;
  }
  EXPECT_EQ(json["details"]["replications"].size(), 2u * 2);
  const int interleaved = 1;
  int relinked = 0;
  for (const Json& replication : json["details"]["replications"]) {
    EXPECT_EQ(replication["runs"], 2);
    EXPECT_EQ(replication["schedule"], interleaved);
    relinked += replication["link"].get<int>();
  }
  EXPECT_EQ(relinked, 2 * (links - 1));
}

TEST(DuetLab, ReplicateContinuesAfterItWasKilled) {
  const Folder folder;
  const std::string state = folder.File("state");
  const std::string arguments = kTwoPairs + "--replications=8 --state='" + state + "'";
  {
    // Killed without a warning, at the end of this block, when it has brought a few records.
    Program lab(InShell(kLab + arguments));
    Eventually([&] { return lab.HasEnded() || LinesOf(TextOf(state)).size() >= 4; });
  }
  const std::vector<std::string> before = LinesOf(TextOf(state));
  if (before.empty()) GTEST_SKIP() << "needs two CPUs";
  ASSERT_GE(before.size(), 4u);
  const std::set<std::string> tasks_before = TasksOf(before);
  const std::size_t all = 8 + 2 * 2;  // duets, plain loops
  ASSERT_LT(tasks_before.size(), all) << "it was not killed in the middle";
  // As if it had been killed while it wrote a line.
  std::ofstream(state, std::ios::app) << before.back().substr(0, before.back().size() / 2);

  const Outcome resumed = Lab(arguments);
  ASSERT_EQ(resumed.status, 0);
  EXPECT_EQ(Json::parse(resumed.out)["context"]["resumed"], tasks_before.size());
  const std::vector<std::string> after = LinesOf(TextOf(state));
  ASSERT_GE(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  EXPECT_EQ(TasksOf(after).size(), all);

  const Outcome again = Lab(arguments);
  ASSERT_EQ(again.status, 0);
  EXPECT_EQ(Json::parse(again.out)["rows"], Json::parse(resumed.out)["rows"]) << "nothing is left";
  EXPECT_EQ(LinesOf(TextOf(state)), after);
  const Outcome other = Lab(arguments + " --load=1");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("belongs to another measurement"));
}

TEST(DuetLab, ErrorsSayWhatIsWrong) {
  const auto expect_error = [](const std::string& arguments, const std::string& words) {
    const Outcome outcome = Lab(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(words)) << arguments;
  };
  expect_error("", "A subcommand is required");
  expect_error("replicat", "there is no measurement 'replicat'");
  expect_error("rendezvous --meetings=10", "rendezvous is gone: the start skew is settled");
  expect_error("precision --format=csv", "--format: csv not in {console,json}");
  expect_error("precision --meetings=5", "--meetings=5");
  expect_error("precision --cpus=0,99999", "99999");
  expect_error("precision --workloads=nothing", "--workloads: nothing not in {integer,");
  expect_error("precision --loads=heavy", "--loads: Check heavy");
  expect_error("precision --loads=quota", "--loads=quota is gone: systemd-run");
  expect_error("replicate --form=both", "--form=both is gone: --pairs='^NAME$'");
  expect_error("precision --ratio=3", "--ratio: Value 3 not in range");
  expect_error("replicate --over=1d", "--over");
  expect_error("replicate --relink=7", "--relink: Value 7 not in range 1 to 6");
  expect_error("replicate --pairs=nothing", "no pair of the set all matches 'nothing'");
  expect_error("replicate --pairs='('", "--pairs: '('");
  expect_error("replicate --pairs=stoi --plain=0 -- --duet_schedule=sideways", "sideways");
  expect_error("aa", "--binary is required");
  expect_error("aa --binary=/no/such/program --experiments=1", "/no/such/program");
  expect_error("aa --binary=/bin/true --experiments=1", "/bin/true exited with status 0");
  expect_error("aa --binary=x --truth=A", "'A' should be NAME=RATIO");
  expect_error("aa --binary='" KNOWN_RATIOS "' --experiments=1 -- --benchmark_filter=Nothing",
               "none that matches --benchmark_filter");
  expect_error("aa --binary='" KNOWN_RATIOS
               "' --experiments=1 --truth=Once_vs_Non=2 -- --benchmark_filter=Fails",
               "there was no benchmark 'Once_vs_Non'");
}

TEST(DuetLab, VersionIsPrinted) {
  const Outcome outcome = Lab("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "duet_lab " DUETBENCH_VERSION_TEXT "\n");
}

}  // namespace
}  // namespace duetbench::integration
