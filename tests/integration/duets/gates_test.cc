// Gates in real programs: exit statuses, what is printed, and the files for CI.
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;

const Row kGates[] = {
    {"gates that hold", "$gates --benchmark_filter='^(Same|Faster|Equal)/' --duet_runs=5", 0,
     "PASS (limit 1.5 ×): [...]PASS (limit 0.6667 ×): [...]duetbench: all 3 gates hold\n"},
    {"a limit that is exceeded", "$gates --benchmark_filter=^Slower/ --duet_runs=5", 1,
     "duetbench: 1 gate failed\nFAIL Slower/manual_time: new ", Needs::kNothing, "::error"},
    {"a speed-up that is missed", "$gates --benchmark_filter=^NotFaster/ --duet_runs=5", 1,
     "duetbench: 1 gate failed\nFAIL NotFaster/manual_time: new "},
    {"faster where equal is wanted", "$gates --benchmark_filter=^FasterThanEqual/ --duet_runs=5", 1,
     "duetbench: 1 gate failed\nFAIL FasterThanEqual/manual_time: new "},

    {"nothing passes that was not decided", "$gates --benchmark_filter=^Close/", 77,
     "\nINCONCLUSIVE Close/manual_time: "},
    {"an open gate is a failure", "$gates --benchmark_filter=^Close/ --duet_inconclusive=fail", 1,
     "\nINCONCLUSIVE Close/manual_time: "},
    {"an open gate passes", "$gates --benchmark_filter=^Close/ --duet_inconclusive=pass", 0,
     "\nINCONCLUSIVE Close/manual_time: [...]duetbench: warning: inconclusive gates"},
    {"an open gate is skipped", "$gates --benchmark_filter=^Close/ --duet_inconclusive=skip", 77,
     "\nINCONCLUSIVE Close/manual_time: "},
    {"a failure is no skip",
     "$gates --benchmark_filter='^(Close|Slower)/' --duet_inconclusive=skip --duet_runs=5", 1},

    {"an error goes before a failure", "$gates --benchmark_filter='^(Broken|Slower)/'", 2},
    {"a bad limit", "$gates --benchmark_filter=^Same/ --duet_max_ratio=-1", 2, "'-1'"},
    {"no folder for the summary",
     "$gates --benchmark_filter=^Same/ --duet_summary=/no/such/folder/x.md", 2,
     "--duet_summary: cannot write to '/no/such/folder/x.md'"},

    {"no gate", "$gates --benchmark_filter=^Free/", 0},
    {"a flag gates what has no gate",
     "$gates --benchmark_filter=^Free/ --duet_max_ratio=1.05 --duet_runs=5", 1, "FAIL Free/"},
    {"so does a variable", "DUET_MAX_RATIO=1.05 $gates --benchmark_filter=^Free/ --duet_runs=5", 1,
     "FAIL Free/"},
    {"its own gate counts", "$gates --benchmark_filter=^Slower/ --duet_max_ratio=3 --duet_runs=5",
     1, "FAIL Slower/"},
    {"a dry run has none", "$gates --benchmark_filter=^Slower/ --benchmark_dry_run", 0, "Slower/",
     Needs::kNothing, " gate"},
    {"on one CPU the message says so",
     "taskset -c 0 $gates --benchmark_filter=^Slower/ --duet_runs=5 >out; s=$?; "
     "grep -E '; interleaved on CPU 0|; CPU 0 .not a duet: one CPU.; alternating' out; exit $s",
     1, "FAIL Slower/"},

    {"a quantile above its limit",
     "$gates --benchmark_filter=^Long/ --duet_runs=20 --benchmark_min_time=0.5 "
     "--duet_quantiles=0.5,0.9 --duet_max_quantile_ratio=0.5:1.2",
     1,
     "\n  FAIL (limit 1.2 ×): p50 of calls 1.[...]\n  p90: [...]\nFAIL Long/manual_time: p50 of "
     "calls 1."},
    {"calls that are too short have no quantiles",
     "$gates --benchmark_filter=^Short/ --duet_quantiles", 0,
     "duetbench: no quantiles: one call is too short", Needs::kPlain, "p50: "},
    {"and a gate on them is an error",
     "$gates --benchmark_filter=^Short/ --duet_max_quantile_ratio=0.5:1.2", 2,
     "a gate on p50: one call is too short for the clock", Needs::kPlain},

    {"GitHub shows failures at their line",
     "GITHUB_ACTIONS=true GITHUB_WORKSPACE=/nowhere $gates --benchmark_filter='^(Slower|Same)/' "
     "--duet_runs=5",
     1,
     "\n::error file=[...]tests/integration/duets/gates_program.cc,line=[...],title=FAIL "
     "Slower/manual_time::FAIL Slower/manual_time: new "},
    {"the summary is appended to",
     "for f in '^(Slower|Same|Awkward)' '^(Same|Free)/'; do $gates --benchmark_filter=\"$f\" "
     "--duet_runs=5 --duet_summary=s.md >out; echo status $?; done; cat s.md",
     0,
     "status 1\nstatus 0\n[...]: 2 of 3 gates failed\n[...]| **FAIL** (limit 1.5 ×) | "
     "`Slower/manual_time` |[...]: 1 gate holds\n"},
    {"and JUnit is replaced",
     "for f in ^Slower/ '^(Same|Free)/'; do $gates --benchmark_filter=\"$f\" --duet_runs=5 "
     "--duet_junit=j.xml >out; done; cat j.xml",
     0, "<?xml[...]tests=\"2\" failures=\"0\"[...]name=\"Free/manual_time\"", Needs::kNothing,
     "Slower"},
    // Every kind of end, with names that XML must escape, is a document for somebody else's parser.
    {"JUnit is XML",
     "$gates --duet_inconclusive=skip --duet_junit=j.xml >out; python3 -c '\n"
     "import xml.etree.ElementTree as t\n"
     "r = t.parse(\"j.xml\").getroot()\n"
     "print(r.tag, len(r.findall(\"testsuite/testcase\")), r.get(\"errors\"))\n"
     "print([c.get(\"name\") for c in r.iter(\"testcase\")])'",
     0, "testsuites 13 1\n[...]Awkward f<int>(a|b) it's $HOME/n:3/manual_time"},
};

TEST_ROWS(GatesTest, kGates);

TEST(GateRowsTest, AClearOneEndsEarly) {
  for (const auto& [name, status] : {std::pair<std::string, int>("Same", 0), {"Slower", 1}}) {
    const Outcome outcome =
        Execute(Freely("gates", {"--benchmark_filter=^" + name + "/", "--benchmark_min_time=0.2",
                                 "--benchmark_format=json"}));
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    const json row = RowOf(JsonOf(outcome.out), name + "/manual_time");
    EXPECT_EQ(row["gate"], status == 0 ? 1 : -1);
    EXPECT_LT(row["runs"], 30) << "without a gate there are 40";
    EXPECT_THAT(outcome.err, Says(status == 0 ? "1 gate holds" : "1 gate failed"))
        << "stdout is JSON alone";
  }
}

TEST(GateRowsTest, TheCommandRepeatsThatBenchmarkAlone) {
  const Outcome outcome = Execute("gates", {"--benchmark_filter=^(Awkward|Same)", "--duet_runs=5"});
  ASSERT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  std::string command;
  for (const std::string& line : LinesOf(outcome.out)) {
    if (absl::StartsWith(line, "  alone: ")) command = line.substr(9);
  }
  ASSERT_NE(command, "");
  const Outcome again = Execute(InShell(command + " --benchmark_format=json"));
  EXPECT_EQ(again.status, 1) << command << again.err;
  EXPECT_THAT(NamesOf(JsonOf(again.out)),
              testing::ElementsAre("Awkward f<int>(a|b) it's $HOME/n:3/manual_time/old",
                                   "Awkward f<int>(a|b) it's $HOME/n:3/manual_time/new",
                                   "Awkward f<int>(a|b) it's $HOME/n:3/manual_time"));
}

}  // namespace
}  // namespace duetbench::integration
