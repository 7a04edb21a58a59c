// The tool duet with programs that are linked with Google Benchmark alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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
  const double work = RowOf(report, "work/1")["ratio"].get<double>();
  EXPECT_GT(work, 1.2);
  EXPECT_LT(work, 3.5);
  EXPECT_NEAR(RowOf(report, "manual/manual_time")["ratio"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(RowOf(report, "repeated/iterations:100/repeats:3/manual_time")["ratio"].get<double>(),
              2, 1e-6);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("duet: only old has: only_old\n"),
                                 HasSubstr("duet: only new has: only_new\n")));
  EXPECT_THAT(Duet("^manual", {}).out,
              testing::ContainsRegex("each[ \n]+sample[ \n]+is[ \n]+an[ \n]+execution"));
}

TEST(UntouchedPrograms, HaveAnotherCodeLayoutInEachRun) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  for (const std::string name : {"manual", "threads"}) {
    const Folder folder;
    Request request;
    request.program = PathOf("duet");
    request.arguments = {PathOf("untouched_old"), PathOf("untouched_new"),
                         "--benchmark_filter=^" + name, "--duet_runs=6", "--benchmark_format=json"};
    request.environment["INTEGRATION_LOG"] = folder.File("log");
    const Outcome outcome = Execute(request);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(JsonOf(outcome.out)["context"]["duet_layout"], "random");
    std::set<std::string> places;
    for (const auto& note : NotesOf(folder.File("log"))) places.insert(note.what);
    EXPECT_GE(places.size(), 6u) << name;
  }
}

TEST(UntouchedPrograms, HaveGates) {
  EXPECT_EQ(Duet("^manual", {"--duet_max_ratio=1.9"}).status, 1);
  EXPECT_EQ(Duet("^manual", {"--duet_max_ratio=2.1"}).status, 0);
  EXPECT_EQ(Duet("^work/1$", {"--duet_max_ratio=1.05", "--duet_runs=6"}).status, 1);
}

TEST(UntouchedPrograms, HaveSchedules) {
  for (const std::string schedule : {"duet", "crossed", "interleaved", "alternating"}) {
    const Outcome outcome = Duet("^manual", {"--duet_schedule=" + schedule});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
}

TEST(UntouchedPrograms, TakeTurnsWithSeveralThreads) {
  const Outcome outcome = Duet("^threads", {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("; not a duet: 2 threads, one program after the other"));
}

TEST(UntouchedPrograms, ThatReportAnErrorAreNamed) {
  const Outcome outcome = Duet("^fails", {});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("old reported an error: no input"));
}

TEST(UntouchedSharedObjects, HaveBenchmarksThatAreCompared) {
  if (!HasPath("parts_old")) GTEST_SKIP() << "Google Benchmark is a static library";
  const Outcome outcome =
      Execute("duet", {PathOf("parts_old"), PathOf("parts_new"), "--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json report = JsonOf(outcome.out);
  EXPECT_NEAR(RowOf(report, "Whole/manual_time")["ratio"].get<double>(), 1, 1e-6);
  EXPECT_NEAR(RowOf(report, "Part/manual_time")["ratio"].get<double>(), 2, 1e-6);
}

TEST(UntouchedPrograms, AreComparedWithThoseThatAreLinkedWithDuetbench) {
  const Outcome outcome =
      Execute("duet", {PathOf("untouched_old"), PathOf("build_new"), "--benchmark_filter=^manual"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("manual/manual_time"));
}

}  // namespace
}  // namespace duetbench::integration
