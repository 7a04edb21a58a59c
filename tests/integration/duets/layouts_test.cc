// Programs with link layouts beside them: which are started, and what is said of them. Here each
// layout is a script that notes its number and executes the program; tests/tools/cmake links real
// ones.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/process/executable.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class LayoutsTest : public ::testing::Test {
 protected:
  LayoutsTest() : program_(folder_.CopyOf("suite")) {
    std::filesystem::create_directory(program_ + ".layouts");
    for (int layout = 1; layout <= 2; ++layout) {
      const std::string path = absl::StrCat(program_, ".layouts/", layout);
      std::ofstream(path) << "#!/bin/sh\necho " << layout << " >>'" << folder_.File("started")
                          << "'\nexec '" << program_ << "' \"$@\"\n";
      std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    std::ofstream(program_ + ".layouts/of") << PosixChecksum(TextOf(program_)) << "\n";
  }

  Outcome Measure(std::vector<std::string> arguments) const {
    Request request;
    request.program = program_;
    request.arguments = std::move(arguments);
    request.arguments.emplace_back("--benchmark_filter=^BM_Once_vs_BM_FiveTimes$");
    return Execute(request);
  }

  // The number of starts of each layout.
  std::map<std::string, int> Started() const {
    std::map<std::string, int> started;
    for (const std::string& line : LinesOf(TextOf(folder_.File("started")))) {
      if (!line.empty()) ++started[line];
    }
    return started;
  }

  const Folder folder_;
  const std::string program_;
};

TEST_F(LayoutsTest, RunsAreDividedAmongThem) {
  const Outcome outcome = Measure({"--duet_runs=6", kNoPilots, "--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(Started(), (std::map<std::string, int>{{"1", 2}, {"2", 2}}));
  const nlohmann::json row = RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes");
  EXPECT_EQ(row["layouts"], 3);
  // A run that other programs disturb throughout has no pairs.
  EXPECT_LE(row["runs"], 6);
  EXPECT_GE(row["runs"], 3);
  EXPECT_TRUE(row.contains("layout_effect")) << row;
}

TEST_F(LayoutsTest, TheConsoleNamesThem) {
  const Outcome outcome = Measure({"--duet_runs=6"});
  EXPECT_THAT(outcome.out, HasSubstr(" in 3 link layouts"));
  EXPECT_THAT(outcome.out, HasSubstr(", this layout adds "));
}

TEST_F(LayoutsTest, ProcessesOfSidesAreOfTheSameLayout) {
  const Outcome outcome = Measure({"--duet_runs=3", kNoPilots, "--duet_isolation=process"});
  if (absl::StrContains(outcome.out, "memory that they share")) {
    GTEST_SKIP() << "two processes have no memory in common here";
  }
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(Started(), (std::map<std::string, int>{{"1", 2}, {"2", 2}}));
}

TEST_F(LayoutsTest, OneCanBeDemanded) {
  const Outcome outcome = Measure({"--duet_runs=4", "--duet_layouts=1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(Started().empty());
  EXPECT_THAT(outcome.out, Not(HasSubstr("layout")));
}

TEST_F(LayoutsTest, MoreThanThereAreIsAnError) {
  const Outcome outcome = Measure({"--duet_layouts=4"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("there are 3 link layouts of it"));
}

TEST_F(LayoutsTest, ThoseOfAnotherLinkAreLeftOutWithAWarning) {
  std::ofstream(program_ + ".layouts/of") << "1 1\n";
  const Outcome outcome = Measure({"--duet_runs=4"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(Started().empty());
  EXPECT_THAT(outcome.out, HasSubstr("warning: one layout only: "));
  EXPECT_THAT(outcome.out, HasSubstr("not of the same link"));
}

TEST_F(LayoutsTest, OneThatCannotBeStartedIsAnError) {
  std::filesystem::permissions(program_ + ".layouts/2", std::filesystem::perms::owner_read);
  const Outcome outcome = Measure({"--duet_runs=4"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("cannot start "));
}

}  // namespace
}  // namespace duetbench::integration
