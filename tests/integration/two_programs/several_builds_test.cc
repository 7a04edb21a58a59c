// The tool duet: more than two builds of a program, in a process each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// The old build twice, and the new one, which takes twice the time: "base", "same" and "slower".
Outcome Duet(const Folder& folder, std::vector<std::string> flags) {
  std::vector<std::string> arguments;
  for (const auto& [name, build] :
       {std::pair("base", "build_old"), {"same", "build_old"}, {"slower", "build_new"}}) {
    arguments.push_back(folder.File(name));
    std::filesystem::create_symlink(PathOf(build), arguments.back());
  }
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return Execute("duet", arguments);
}

TEST(SeveralBuilds, EachIsComparedWithTheFirst) {
  const Folder folder;
  const Outcome outcome = Duet(folder, {"--benchmark_filter=^(manual|same/n:1|only)",
                                        "--duet_runs=4", "--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = JsonOf(outcome.out);
  const std::string manual = "manual/manual_time/base_vs_";
  EXPECT_NEAR(RatioOf(report, manual + "slower"), 2, 1e-9);
  EXPECT_NEAR(RatioOf(report, manual + "same"), 1, 1e-9);
  ExpectMeasured(report, "same/n:1/base_vs_slower");
  const nlohmann::json& groups = report.at("duet_suite").at("groups");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].at("others").back().at("name"), "slower");
  EXPECT_EQ(report["context"]["duet_new"], folder.File("same") + ", " + folder.File("slower"));
  EXPECT_THAT(outcome.err, Says("duet: base has, and not all others: only_old\n"));
  const Outcome refused = Duet(Folder(), {"--benchmark_filter=^(manual|threads)"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, Says("duet: not compared: threads/threads:2: it has several"));
}

TEST(SeveralBuilds, AreNamedAndGatesHoldForEach) {
  const std::vector<std::string> flags = {"--benchmark_filter=^manual", "--duet_runs=5"};
  const Outcome passes = Duet(Folder(), {flags[0], flags[1], "--duet_max_ratio=2.1"});
  EXPECT_EQ(passes.status, 0) << passes.out;
  EXPECT_THAT(passes.out, Says("duetbench: base is "));
  EXPECT_THAT(passes.out, testing::ContainsRegex("fastest: (base|same); (base|same) ties within "
                                                 "[0-9.]+ %; slower takes 2 x"));
  const Outcome fails = Duet(Folder(), {flags[0], flags[1], "--duet_max_ratio=1.9"});
  EXPECT_EQ(fails.status, 1) << fails.out;
  EXPECT_THAT(fails.out, Says("FAIL manual/manual_time/base_vs_slower: "));
  EXPECT_THAT(fails.out, testing::Not(Says("FAIL manual/manual_time/base_vs_same: ")));
}

TEST(SeveralBuilds, APartOfThemIsMeasuredAsDuets) {
  const Outcome outcome =
      Duet(Folder(), {"--benchmark_filter=^manual.*_vs_slower", "--duet_runs=3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Says("SLOWER: slower takes 2"));
  EXPECT_THAT(outcome.out, testing::Not(Says("fastest: ")));
}

TEST(SeveralBuilds, AFailureNamesTheBuild) {
  for (const auto& [filter, error] :
       {std::pair("^crashes$|^crashes/", "'slower crashed: signal SIGSEGV"),
        {"^hangs", "'slower was still in its set-up after 1 s"}}) {
    const Outcome outcome =
        Duet(Folder(), {absl::StrCat("--benchmark_filter=", filter), "--duet_timeout=1"});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    for (const char* row : {"/base_vs_same .*", "/base_vs_slower .*"}) {
      EXPECT_THAT(outcome.out, testing::ContainsRegex(absl::StrCat(row, error)));
    }
  }
}

TEST(SeveralBuilds, OfProgramsWithoutDuetbenchTwoAreCompared) {
  const std::string old_program = PathOf("untouched_old");
  const Outcome outcome = Execute("duet", {old_program, PathOf("untouched_new"), old_program});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, Says("others are compared two by two"));
}

}  // namespace
}  // namespace duetbench::integration
