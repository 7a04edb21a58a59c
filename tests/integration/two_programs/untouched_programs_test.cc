// The tool duet with programs that are linked with Google Benchmark alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "duetbench/platform/process.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

Outcome Duet(const std::string& filter, const std::vector<std::string>& flags) {
  std::vector<std::string> arguments = {PathOf("untouched_old"), PathOf("untouched_new"),
                                        "--benchmark_filter=" + filter};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return Execute("duet", arguments);
}

TEST(UntouchedPrograms, AreComparedAndTheReportSaysHow) {
  const Outcome outcome =
      Duet("work/1|manual|only|repeated", {"--duet_runs=6", "--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = JsonOf(outcome.out);
  EXPECT_GT(RatioOf(report, "work/1"), 4);
  EXPECT_LT(RatioOf(report, "work/1"), 25);
  EXPECT_NEAR(RatioOf(report, "manual/manual_time"), 2, 1e-6);
  EXPECT_NEAR(RatioOf(report, "repeated/iterations:100/repeats:3/manual_time"), 2, 1e-6);
  EXPECT_THAT(outcome.err,
              Says("duet: only old has: only_old\n[...]duet: only new has: only_new\n"));
  EXPECT_THAT(Duet("^manual", {}).out,
              testing::ContainsRegex("each[ \n]+sample[ \n]+is[ \n]+an[ \n]+execution"));
}

TEST(UntouchedPrograms, HaveAnotherCodeLayoutInEachRun) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  for (const std::string name : {"manual", "threads"}) {
    const Folder folder;
    const nlohmann::json report = ReportWith("duet",
                                             {PathOf("untouched_old"), PathOf("untouched_new"),
                                              "--benchmark_filter=^" + name, "--duet_runs=6"},
                                             {{"INTEGRATION_LOG", folder.File("log")}});
    EXPECT_EQ(report["context"]["duet_layout"], "random");
    std::set<std::string> places;
    for (const auto& note : NotesOf(folder.File("log"))) places.insert(note.what);
    EXPECT_GE(places.size(), 6u) << name;
  }
}

TEST(UntouchedPrograms, HaveTheSameMemoryLayoutInARunAndOtherRunsHaveOtherOnes) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  if (!MayFixLayout()) GTEST_SKIP() << "random addresses cannot be switched off here";
  const Folder folder;
  ReportWith("duet",
             {PathOf("untouched_old"), PathOf("untouched_new"), "--benchmark_filter=^manual",
              "--duet_runs=6"},
             {{"INTEGRATION_LOG", folder.File("log")}});
  std::map<std::string, std::set<std::string>> memory;
  std::set<std::string> images;
  for (const auto& note : NotesOf(folder.File("log"))) {
    const std::pair<std::string, std::string> words = absl::StrSplit(note.what, ':');
    if (words.first == "manual") continue;
    memory[words.first].insert(words.second);
    images.insert(words.second.substr(0, words.second.find(',')));
  }
  EXPECT_GE(images.size(), 6u);
  EXPECT_EQ(memory["new"], memory["old"]);
}

const Row kUntouched[] = {
    {"a gate that fails",
     "$duet $untouched_old $untouched_new --benchmark_filter=^manual --duet_max_ratio=1.9", 1},
    {"a gate that holds",
     "$duet $untouched_old $untouched_new --benchmark_filter=^manual --duet_max_ratio=2.1", 0},
    {"a gate on measured times",
     "$duet $untouched_old $untouched_new --benchmark_filter=^work/1$ --duet_max_ratio=1.05 "
     "--duet_runs=6",
     1},
    {"each schedule",
     "for schedule in duet interleaved alternating; do $duet $untouched_old $untouched_new "
     "--benchmark_filter=^manual --duet_schedule=$schedule || exit 98; done",
     0},
    {"several threads take turns",
     "$duet $untouched_old $untouched_new --benchmark_filter=^threads", 0,
     "; not a duet: 2 threads, one program after the other"},
    {"an error", "$duet $untouched_old $untouched_new --benchmark_filter=^fails", 2,
     "old reported an error: no input"},
    {"a program that is linked with duetbench",
     "$duet $untouched_old $build_new --benchmark_filter=^manual", 0, "manual/manual_time"},
};

TEST_ROWS(UntouchedRows, kUntouched);

TEST(UntouchedSharedObjects, HaveBenchmarksThatAreCompared) {
  if (!HasPath("parts_old")) GTEST_SKIP() << "Google Benchmark is a static library";
  const nlohmann::json report = ReportWith("duet", {PathOf("parts_old"), PathOf("parts_new")});
  EXPECT_NEAR(RatioOf(report, "Whole/manual_time"), 1, 1e-6);
  EXPECT_NEAR(RatioOf(report, "Part/manual_time"), 2, 1e-6);
}

}  // namespace
}  // namespace duetbench::integration
