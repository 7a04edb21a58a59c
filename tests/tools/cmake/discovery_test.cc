// Tests of duet_discover_benchmarks in a project that uses it: the project in project/ is
// configured and built once; ctest lists and runs its tests.
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class DiscoveryTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Folder>();
    const Outcome configured =
        Run(DISCOVERY_CMAKE, {"-S", DISCOVERY_PROJECT, "-B", folder_->path(), "-G",
                              DISCOVERY_GENERATOR, "-DCMAKE_BUILD_TYPE=Release",
                              std::string("-DCMAKE_CXX_COMPILER=") + DISCOVERY_COMPILER,
                              std::string("-DPROGRAM=") + DISCOVERY_PROGRAM,
                              std::string("-DDISCOVERY=") + DISCOVERY_MODULE});
    ASSERT_EQ(configured.status, 0) << configured.out << configured.err;
    // Also where the environment would change what Google Benchmark lists.
    const Outcome built = Run(DISCOVERY_CMAKE, {"--build", folder_->path()},
                              {{"BENCHMARK_FORMAT", "json"}, {"BENCHMARK_FILTER", ""}});
    ASSERT_EQ(built.status, 0) << built.out << built.err;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Outcome Run(const std::string& program, const std::vector<std::string>& arguments,
                     const std::map<std::string, std::string>& environment = {}) {
    Request request;
    request.program = program;
    request.arguments = arguments;
    request.environment = environment;
    return Execute(request);
  }

  static Outcome Ctest(const std::vector<std::string>& arguments,
                       const std::map<std::string, std::string>& environment = {}) {
    std::vector<std::string> all = {"--test-dir", folder_->path()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return Run(DISCOVERY_CTEST, all, environment);
  }

  // The tests whose names begin with `prefix`, in order, by their names without it.
  static std::vector<std::pair<std::string, json>> Tests(const std::string& prefix) {
    const Outcome listed = Ctest({"--show-only=json-v1"}, {{"BENCHMARK_FORMAT", "json"}});
    EXPECT_EQ(listed.status, 0) << listed.err;
    const json report = JsonOf(listed.out);
    std::vector<std::pair<std::string, json>> tests;
    for (const json& test : report["tests"]) {
      std::string name = test["name"];
      if (!absl::StartsWith(name, prefix)) continue;
      tests.emplace_back(name.substr(prefix.size()), test);
    }
    EXPECT_THAT(tests, Not(IsEmpty())) << listed.out;
    return tests;
  }

  static std::vector<std::string> NamesOfTests(const std::string& prefix) {
    std::vector<std::string> names;
    for (const auto& [name, test] : Tests(prefix)) names.push_back(name);
    return names;
  }

  static json Property(const json& test, const std::string& name) {
    for (const json& property : test["properties"]) {
      if (property["name"] == name) return property["value"];
    }
    return nullptr;
  }

  // The names of the duets, as the program itself lists them.
  static std::vector<std::string> Duets() {
    std::vector<std::string> names;
    for (const std::string& line : LinesOf(Run(DISCOVERY_PROGRAM, {"--duet_list"}).out)) {
      const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(' ', 2));
      names.push_back(parts.back().substr(0, parts.back().find('\t')));  // of a group: its filter
    }
    return names;
  }

  static std::unique_ptr<Folder> folder_;
};

std::unique_ptr<Folder> DiscoveryTest::folder_;

TEST_F(DiscoveryTest, EveryDuetIsATestWhateverItsName) {
  const std::vector<std::string> duets = Duets();
  ASSERT_THAT(duets, SizeIs(15));
  EXPECT_THAT(duets, Each(Not(HasSubstr("rdinary"))));
  EXPECT_THAT(NamesOfTests("built."), ElementsAreArray(duets));
  EXPECT_THAT(NamesOfTests("before tests; "), ElementsAreArray(duets));
  EXPECT_THAT(NamesOfTests("smoke."), ElementsAreArray(duets));
}

TEST_F(DiscoveryTest, ATestHasItsOwnPropertiesAndThoseOfTheCall) {
  for (const auto& [name, test] : Tests("built.")) {
    EXPECT_EQ(Property(test, "LABELS"), json({"duet"})) << name;
    EXPECT_EQ(Property(test, "RUN_SERIAL"), json(true));
    EXPECT_EQ(Property(test, "SKIP_RETURN_CODE"), json(77));
    EXPECT_GE(Property(test, "TIMEOUT").get<double>(), 100);
    EXPECT_EQ(Property(test, "WORKING_DIRECTORY"), json(folder_->path()));
  }
  for (const auto& [name, test] : Tests("before tests; ")) {
    EXPECT_EQ(Property(test, "LABELS"), json({"duet", "nightly", "slow"})) << name;
    EXPECT_EQ(Property(test, "ENVIRONMENT"), json({"A=1", "B=two words"}));
    EXPECT_EQ(Property(test, "TIMEOUT"), json(77.0));
    EXPECT_EQ(Property(test, "SKIP_RETURN_CODE"), json(77));
    // Set by the file that walks TEST_LIST, whose elements cannot be all names.
    const bool breaks_lists =
        name.find_first_of("[]") != std::string::npos || absl::EndsWith(name, "\\");
    EXPECT_EQ(Property(test, "MEASUREMENT").is_null(), breaks_lists) << name;
  }
}

TEST_F(DiscoveryTest, ASmokeTestMeasuresOnePairAndMayRunBesideOthers) {
  for (const auto& [name, test] : Tests("smoke.")) {
    EXPECT_EQ(Property(test, "LABELS"), json({"duet", "smoke"})) << name;
    EXPECT_TRUE(Property(test, "RUN_SERIAL").is_null());
    EXPECT_THAT(test["command"], Contains("--benchmark_dry_run=true"));
  }
}

TEST_F(DiscoveryTest, EveryTestRunsItsOwnDuetAndNoOther) {
  const std::vector<std::string> duets = Duets();
  for (const char* prefix : {"built.", "before tests; "}) {
    for (const auto& [name, test] : Tests(prefix)) {
      std::vector<std::string> command = test["command"];
      command.erase(command.begin());
      command.emplace_back("--duet_list");
      const Outcome listed = Run(DISCOVERY_PROGRAM, command);
      EXPECT_EQ(listed.status, 0) << listed.err;
      ASSERT_THAT(LinesOf(listed.out), SizeIs(1)) << name;
      const std::string line = LinesOf(listed.out)[0];
      EXPECT_TRUE(absl::EndsWith(line.substr(0, line.find('\t')), " " + name)) << listed.out;
    }
  }
}

TEST_F(DiscoveryTest, AGroupIsOneTestThatMeasuresItTogether) {
  const Outcome outcome = Ctest({"-V", "-R", "^built[.]three/a_vs_b_vs_c$"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("three/a_vs_b/new"), HasSubstr("three/a_vs_c/new"),
                                 HasSubstr("fastest: ")));
}

TEST_F(DiscoveryTest, TheTestsPassSideBySide) {
  const Outcome outcome = Ctest({"-j4", "-R", "^(built|smoke)[.]name|^before tests; name"},
                                {{"BENCHMARK_FORMAT", "json"}, {"BENCHMARK_LIST_TESTS", "true"}});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("100% tests passed, 0 tests failed out of 36"));
}

TEST_F(DiscoveryTest, AGateThatFailsIsATestThatFailsUnlessItIsASmokeTest) {
  const Outcome outcome = Ctest({"--output-on-failure", "-R", "^built[.]too slow|^smoke[.]too"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("50% tests passed, 1 tests failed out of 2"),
                                 HasSubstr("built.too slow (Failed)"),
                                 HasSubstr("FAIL too slow: BM_TenTimes takes ")));
}

TEST_F(DiscoveryTest, ATestEndsAsItsProgramDoes) {
  const auto end = [](const char* status) {
    return Ctest({"-R", "^first[.]"}, {{"GATES_STATUS", status}});
  };
  EXPECT_EQ(end("0").status, 0);
  const Outcome failed = end("1");
  EXPECT_NE(failed.status, 0);
  EXPECT_THAT(failed.out, HasSubstr("first.BM_Old_vs_BM_New (Failed)"));
  EXPECT_NE(end("2").status, 0);
  const Outcome skipped = end("77");
  EXPECT_EQ(skipped.status, 0);
  EXPECT_THAT(skipped.out, HasSubstr("first.BM_Old_vs_BM_New (Skipped)"));
}

TEST_F(DiscoveryTest, AProgramThatDoesNotBuildFails) {
  const Outcome built = Run(DISCOVERY_CMAKE, {"--build", folder_->path(), "--target", "unbuilt"});
  EXPECT_NE(built.status, 0);
  const Outcome outcome = Ctest({"-R", "^unbuilt"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("unbuilt_NOT_BUILT"));
}

TEST_F(DiscoveryTest, AProgramWithoutDuetsDoesNotBuild) {
  const Outcome built = Run(DISCOVERY_CMAKE, {"--build", folder_->path(), "--target", "empty"});
  EXPECT_NE(built.status, 0);
  EXPECT_THAT(built.out + built.err,
              AllOf(HasSubstr("duet_discover_benchmarks: the program could not be listed"),
                    HasSubstr("no duet matches --benchmark_filter=^BM_Ordinary")));
}

TEST_F(DiscoveryTest, AProgramThatCannotBeListedBeforeTestsIsATestThatFails) {
  const Outcome outcome = Ctest({"--output-on-failure", "-R", "^unlisted|^first[.]"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("50% tests passed, 1 tests failed out of 2"),
                                 HasSubstr("no duet matches --benchmark_filter=^BM_Ordinary")));
  EXPECT_THAT(NamesOfTests("unlisted"), ElementsAre("_NOT_LISTED"));
}

}  // namespace
}  // namespace duetbench::integration
