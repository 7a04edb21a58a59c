// Gates in real programs: exit statuses, what is printed, and the files for CI.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Not under GitHub Actions, even where this test is.
Outcome Gates(const std::string& filter, std::vector<std::string> arguments = {},
              std::map<std::string, std::string> environment = {}) {
  arguments.push_back(absl::StrCat("--benchmark_filter=", filter));
  environment.emplace("GITHUB_ACTIONS", "false");
  return Execute("gates", arguments, environment);
}

// DUET_RUNS is set for all programs here: without it, the gate measures until it is decided.
Outcome SequentialGates(const std::string& filter, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> all = {"-u", "DUET_RUNS", PathOf("gates")};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back(absl::StrCat("--benchmark_filter=", filter));
  Request request;
  request.program = "env";
  request.arguments = all;
  return Execute(request);
}

TEST(GatesTest, ThatHoldEndWithZero) {
  const Outcome outcome = Gates("^(Same|Faster|Equal)/", {"--duet_runs=5"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("PASS (limit 1.5 ×): "));
  EXPECT_THAT(outcome.out, HasSubstr("PASS (limit 0.6667 ×): "));
  EXPECT_THAT(outcome.out, HasSubstr("duetbench: all 3 gates hold\n"));
}

TEST(GatesTest, ThatFailEndWithOne) {
  for (const char* name : {"Slower", "NotFaster", "FasterThanEqual"}) {
    const Outcome outcome = Gates(absl::StrCat("^", name, "/"), {"--duet_runs=5"});
    EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(absl::StrCat("\nFAIL ", name, "/manual_time: new ")));
    EXPECT_THAT(outcome.out, HasSubstr("duetbench: 1 gate failed\n"));
  }
}

TEST(GatesTest, OneThatIsNotDecidedEndsAsWanted) {
  for (const auto& [when, status] :
       std::vector<std::pair<std::string, int>>{{"pass", 0}, {"fail", 1}, {"skip", 77}}) {
    const Outcome outcome = Gates("^Close/", {"--duet_inconclusive=" + when});
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\nINCONCLUSIVE Close/manual_time: "));
  }
  EXPECT_THAT(Gates("^Close/", {"--duet_inconclusive=pass"}).out,
              HasSubstr("duetbench: warning: inconclusive gates"));
  EXPECT_EQ(Gates("^Close/").status, 77) << "nothing passes that was not decided";
  EXPECT_EQ(Gates("^(Close|Slower)/", {"--duet_inconclusive=skip", "--duet_runs=5"}).status, 1)
      << "a failure is no skip";
}

TEST(GatesTest, ErrorsGoFirst) {
  EXPECT_EQ(Gates("^(Broken|Slower)/").status, 2);
  EXPECT_EQ(Gates("^Nothing/").status, 2);
  EXPECT_EQ(Gates("^Same/", {"--duet_max_ratio=-1"}).status, 2);
  EXPECT_EQ(Gates("^Same/", {"--duet_junit=/no/such/folder/x.xml"}).status, 2);
  EXPECT_THAT(Gates("^Same/", {"--duet_summary=/no/such/folder/x.md"}).err,
              HasSubstr("--duet_summary: cannot write to '/no/such/folder/x.md'"));
}

TEST(GatesTest, AFlagGatesWhatHasNoGate) {
  EXPECT_EQ(Gates("^Free/").status, 0);
  EXPECT_EQ(Gates("^Free/", {"--duet_max_ratio=1.05", "--duet_runs=5"}).status, 1);
  EXPECT_EQ(Gates("^Slower/", {"--duet_max_ratio=3", "--duet_runs=5"}).status, 1)
      << "its own counts";
  EXPECT_EQ(Gates("^Free/", {"--duet_runs=5"}, {{"DUET_MAX_RATIO", "1.05"}}).status, 1);
}

TEST(GatesTest, AClearOneEndsEarly) {
  for (const auto& [name, status] :
       std::vector<std::pair<std::string, int>>{{"Same", 0}, {"Slower", 1}}) {
    const Outcome outcome =
        SequentialGates(absl::StrCat("^", name, "/"), {"--benchmark_format=json"});
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    const json row = RowOf(JsonOf(outcome.out), name + "/manual_time");
    EXPECT_EQ(row["gate"], status == 0 ? 1 : -1);
    EXPECT_LT(row["runs"], 30) << "without a gate there are 40";
    EXPECT_THAT(outcome.err, HasSubstr(status == 0 ? "1 gate holds" : "1 gate failed"))
        << "stdout is JSON alone";
  }
}

TEST(GatesTest, QuantilesOfCallsHaveThem) {
  const Outcome failed =
      Gates("^Long/", {"--duet_runs=20", "--benchmark_min_time=0.5", "--duet_quantiles=0.5,0.9",
                       "--duet_max_quantile_ratio=0.5:1.2"});
  EXPECT_EQ(failed.status, 1) << failed.out << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("\n  FAIL (limit 1.2 ×): p50 of calls 1."));
  EXPECT_THAT(failed.out, HasSubstr("\n  p90: "));
  EXPECT_THAT(failed.out, HasSubstr("\nFAIL Long/manual_time: p50 of calls 1."));
  const Outcome passed =
      Gates("^Long/", {"--duet_runs=20", "--benchmark_min_time=0.5", "--benchmark_format=json",
                       "--duet_max_quantile_ratio=0.5:1.8"});
  ASSERT_EQ(passed.status, 0) << passed.out << passed.err;
  const json row = RowOf(JsonOf(passed.out), "Long/manual_time");
  ASSERT_TRUE(row.contains("gate.p50")) << row;
  EXPECT_EQ(row["gate.p50"], 1);
  EXPECT_NEAR(row["ratio_p50"], 1.5, 0.01);
}

TEST(GatesTest, CallsThatAreTooShortHaveNoQuantiles) {
  if (kSanitized) GTEST_SKIP() << "with its checks a call is long enough";
  const Outcome gated = Gates("^Short/", {"--duet_runs=2", "--duet_max_quantile_ratio=0.5:1.2"});
  EXPECT_EQ(gated.status, 2) << "a gate that cannot be measured is an error";
  EXPECT_THAT(gated.out, HasSubstr("a gate on p50: one call is too short for the clock"));
  const Outcome shown = Gates("^Short/", {"--duet_runs=2", "--duet_quantiles"});
  EXPECT_EQ(shown.status, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("duetbench: no quantiles: one call is too short"));
  EXPECT_THAT(shown.out, Not(HasSubstr("p50: ")));
}

TEST(GatesTest, TheCommandRepeatsThatBenchmarkAlone) {
  const Outcome outcome = Gates("^(Awkward|Same)", {"--duet_runs=5"});
  ASSERT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  std::string command;
  for (const std::string& line : LinesOf(outcome.out)) {
    if (absl::StartsWith(line, "  alone: ")) command = line.substr(9);
  }
  ASSERT_NE(command, "");
  Request request;
  request.program = "sh";
  request.arguments = {"-c", command + " --benchmark_format=json"};
  const Outcome again = Execute(request);
  EXPECT_EQ(again.status, 1) << command << again.err;
  EXPECT_THAT(NamesOf(JsonOf(again.out)),
              testing::ElementsAre("Awkward f<int>(a|b) it's $HOME/n:3/manual_time/old",
                                   "Awkward f<int>(a|b) it's $HOME/n:3/manual_time/new",
                                   "Awkward f<int>(a|b) it's $HOME/n:3/manual_time"));
}

TEST(GatesTest, ADryRunHasNone) {
  const Outcome outcome = Gates("^Slower/", {"--benchmark_dry_run"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("gate")));
}

TEST(GatesTest, OnOneCpuTheMessageSaysSo) {
  Request request;
  request.program = PathOf("gates");
  request.arguments = {"--benchmark_filter=^Slower/", "--duet_runs=5"};
  request.only_cpu = 0;
  const Outcome outcome = Execute(request);
  EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AnyOf(HasSubstr("; interleaved on CPU 0"),
                                 HasSubstr("; CPU 0 (not a duet: one CPU); alternating")));
}

TEST(GatesTest, GithubShowsFailuresAtTheirLine) {
  const Outcome outcome = Gates("^(Slower|Same)/", {"--duet_runs=5"},
                                {{"GITHUB_ACTIONS", "true"}, {"GITHUB_WORKSPACE", "/nowhere"}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n::error file="));
  EXPECT_THAT(outcome.out, HasSubstr("tests/integration/duets/gates_program.cc,line="));
  EXPECT_THAT(outcome.out,
              HasSubstr(",title=FAIL Slower/manual_time::FAIL Slower/manual_time: new "));
  EXPECT_THAT(Gates("^Slower/", {"--duet_runs=5"}).out, Not(HasSubstr("::error")));
}

TEST(GatesTest, TheSummaryIsAppendedToAndJunitIsReplaced) {
  const Folder folder;
  const std::vector<std::string> arguments = {"--duet_runs=5",
                                              "--duet_summary=" + folder.File("s.md"),
                                              "--duet_junit=" + folder.File("j.xml")};
  EXPECT_EQ(Gates("^(Slower|Same|Awkward)", arguments).status, 1);
  EXPECT_EQ(Gates("^(Same|Free)/", arguments).status, 0);
  const std::string summary = TextOf(folder.File("s.md"));
  EXPECT_THAT(summary, HasSubstr(": 2 of 3 gates failed\n"));
  EXPECT_THAT(summary, HasSubstr(": 1 gate holds\n"));
  EXPECT_THAT(summary, HasSubstr("| **FAIL** (limit 1.5 ×) | `Slower/manual_time` |"));
  const std::string junit = TextOf(folder.File("j.xml"));
  EXPECT_THAT(junit, StartsWith("<?xml"));
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"0\""));
  EXPECT_THAT(junit, HasSubstr("name=\"Free/manual_time\""));
}

// Every kind of end, with names that XML must escape, is a document for somebody else's parser.
TEST(GatesTest, JunitIsXml) {
  const Folder folder;
  Gates(".", {"--duet_runs=2", "--duet_inconclusive=skip", "--duet_junit=" + folder.File("j.xml")});
  Request request;
  request.program = "python3";
  request.arguments = {"-c",
                       "import sys, xml.etree.ElementTree as t\n"
                       "r = t.parse(sys.argv[1]).getroot()\n"
                       "print(r.tag, len(r.findall('testsuite/testcase')), r.get('errors'))\n"
                       "print([c.get('name') for c in r.iter('testcase')])",
                       folder.File("j.xml")};
  const Outcome outcome = Execute(request);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("testsuites 13 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("Awkward f<int>(a|b) it's $HOME/n:3/manual_time"));
}

}  // namespace
}  // namespace duetbench::integration
