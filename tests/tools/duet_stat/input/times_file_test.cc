// Files of times, through the whole program.
#include "tools/duet_stat/input/times_file.h"

#include <map>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(TimesFile, TwoFilesAreComparedByName) {
  const std::map<std::string, std::string> files = {{"a.json", GoogleBenchmarkJson({"A", "B"})},
                                                    {"b.json", GoogleBenchmarkJson({"A", "B"})}};
  const json result = Json(RunDuetStat({"--format=json", "--compare", "a.json", "b.json"}, files));
  ASSERT_EQ(result["benchmarks"].size(), 2u);
  EXPECT_NEAR(result["benchmarks"][0]["old"]["median"], 1005.5, 1e-6)
      << "in ns, without aggregates";
  const Outcome refused = RunDuetStat({"a.json", "b.json"}, files);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "duet_stat: 'a.json' has times that were measured apart: --compare OLD NEW compares "
            "them\n");
}

// The rows of `rule` in the JSON of a comparison, by benchmark: "A: slower".
std::vector<std::string> Decisions(const json& out, const std::string& rule) {
  std::vector<std::string> decisions;
  for (const json& benchmark : out["benchmarks"]) {
    for (const json& applied : benchmark["rules"]) {
      if (applied["name"] != rule) continue;
      decisions.push_back(absl::StrCat(benchmark["name"].get<std::string>(), ": ",
                                       applied.value("decision", "undecided")));
    }
  }
  return decisions;
}

json Compared(const std::string& old_text, const std::string& new_text) {
  return Json(RunDuetStat({"--compare", "--format=json", "old", "new"},
                          {{"old", old_text}, {"new", new_text}}));
}

TEST(TimesFile, HyperfineAndGo) {
  const auto hyperfine = [](const char* times) {
    return absl::StrCat(R"({"results": [{"command": "sort", "times": [)", times, "]}]}");
  };
  const json of_hyperfine = Compared(hyperfine("1.0,1.1,1.05"), hyperfine("2.0,2.1,2.02"));
  EXPECT_EQ(of_hyperfine["benchmarks"][0]["name"], "sort");
  EXPECT_NEAR(of_hyperfine["benchmarks"][0]["new"]["median"], 2.02e9, 1);
  const std::string go =
      "goos: linux\ngoarch: amd64\nBenchmarkSort/size=8-4 \t 1000\t101 ns/op\t16 B/op\n";
  const json of_go = Compared(go, go);
  EXPECT_EQ(of_go["benchmarks"][0]["name"], "Sort/size=8-4");
  EXPECT_EQ(of_go["benchmarks"][0]["old"]["median"], 101);
  EXPECT_EQ(RunDuetStat({"--compare", "a", "a.json"}, {{"a", "{\"results\": []}"}}).status, 2);
}

// `count` lines of Go's benchmarks around `ns`.
std::string GoLines(const std::string& name, double ns, int count = 6) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&lines, "Benchmark", name, "\t1000\t", ns * (1 + 0.001 * i), " ns/op\n");
  }
  return lines;
}

TEST(TimesFile, BenchmarksOfGoAreThoseOfAPackageAndAWholeName) {
  const json packages =
      Compared("pkg: a\n" + GoLines("A-4", 100) + "pkg: b\n" + GoLines("A-4", 5e3),
               "pkg: a\n" + GoLines("A-4", 100) + "pkg: b\n" + GoLines("A-4", 6e3));
  EXPECT_THAT(Decisions(packages, "welch"), ElementsAre("a.A-4: no difference", "b.A-4: slower"));
  const json sizes = Compared(GoLines("Sort/n-10", 100) + GoLines("Sort/n-1000", 26e3),
                              GoLines("Sort/n-10", 150) + GoLines("Sort/n-1000", 26e3));
  EXPECT_THAT(Decisions(sizes, "welch"),
              ElementsAre("Sort/n-10: slower", "Sort/n-1000: no difference"));
}

TEST(TimesFile, ASecondBenchmarkOfANameIsAnotherOne) {
  const json twice = Compared(GoogleBenchmarkJson({"A", "A"}), GoogleBenchmarkJson({"A", "A"}));
  EXPECT_THAT(Decisions(twice, "welch"), ElementsAre("A: no difference", "A#2: no difference"));
}

TEST(TimesFile, ARowWithoutATimeIsLeftOut) {
  const json zero = Compared(GoLines("A-4", 100) + GoLines("Zero-4", 0), GoLines("A-4", 150));
  EXPECT_THAT(Decisions(zero, "welch"), ElementsAre("A-4: slower"));
  EXPECT_THAT(zero["notices"][0],
              "old: 6 rows of 'Zero-4' left out: a time that is no positive number");
  json skipped = json::parse(GoogleBenchmarkJson({"A"}));
  skipped["benchmarks"].push_back({{"name", "B"},
                                   {"run_name", "B"},
                                   {"real_time", 0.0},
                                   {"skipped", true},
                                   {"skip_message", "no device"}});
  EXPECT_THAT(Compared(skipped.dump(), GoogleBenchmarkJson({"A"}))["notices"],
              Contains("old: 1 row of 'B' left out: skipped, no device"));
}

TEST(TimesFile, AnotherMachineAndADebugBuildAreSaid) {
  const auto on = [](const char* host, int cpus, const char* build) {
    json report = json::parse(GoogleBenchmarkJson({"A"}));
    report["context"] = {{"host_name", host}, {"num_cpus", cpus}, {"library_build_type", build}};
    return report.dump();
  };
  EXPECT_THAT(Compared(on("alpha", 2, "release"), on("alpha", 2, "release"))["notices"], IsEmpty());
  EXPECT_THAT(Compared(on("alpha", 2, "release"), on("beta", 64, "debug"))["notices"],
              ElementsAre("new: measured with a debug build of Google Benchmark",
                          "old and new were measured on two machines, 'alpha with 2 CPUs' and "
                          "'beta with 64 CPUs': the difference may be theirs"));
}

TEST(TimesFile, CsvHasRunsMachinesAndBenchmarks) {
  const std::string text =
      "instance,benchmark,trial,time_ns\nm1,A,0,5\nm1,A,0,6\nm2,A,0,7\nm2,\"B, C\",3,1e3\n";
  std::istringstream stream(text.substr(text.find('\n') + 1));
  const TimesData data = ReadTimes({"a.csv", &stream, text.substr(0, text.find('\n'))}).value();
  ASSERT_EQ(data.benchmarks.size(), 2u);
  EXPECT_THAT(data.benchmarks[0].sample.runs, ElementsAre(ElementsAre(5, 6), ElementsAre(7)));
  EXPECT_THAT(data.benchmarks[0].sample.machine, ElementsAre(0, 1));
  EXPECT_EQ(data.benchmarks[1].name, "B, C");
}

TEST(TimesFile, CsvWithoutRunsIsOneRunAndZerosAreLeftOut) {
  std::istringstream stream("1\n0\n2\n");
  const TimesData data = ReadTimes({"a.csv", &stream, "time"}).value();
  EXPECT_THAT(data.benchmarks[0].sample.runs, ElementsAre(ElementsAre(1, 2)));
  EXPECT_THAT(data.notices,
              ElementsAre("a.csv: no column 'run': all times are of one run",
                          "a.csv: 1 row of 'time' left out: a time that is no positive number"));
}

}  // namespace
}  // namespace duetbench::duet_stat
