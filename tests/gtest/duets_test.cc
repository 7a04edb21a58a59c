// A program of tests with duets, run in every way that GoogleTest programs are run.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Outcome RunTests(const std::string& filter, const std::vector<std::string>& arguments = {},
                 std::map<std::string, std::string> environment = {}) {
  Request request;
  request.program = DUETS_PROGRAM;
  request.arguments = arguments;
  request.arguments.push_back("--gtest_filter=" + filter);
  request.environment = std::move(environment);
  request.environment.emplace("DUET_RUNS", "8");
  return Execute(request);
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Passes, and ran `tests` tests.
void ExpectPasses(const Outcome& outcome, int tests) {
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr(absl::StrCat("[  PASSED  ] ", tests, tests == 1 ? " test." : " tests.")));
}

TEST(DuetsTest, PassBesideOrdinaryTests) { ExpectPasses(RunTests("Parser.*"), 8); }

TEST(DuetsTest, ParametersAndTypesAreFoundAgain) { ExpectPasses(RunTests("Many/*:Two/*"), 5); }

TEST(DuetsTest, ANameMayHaveAnyCharacter) {
  const Outcome outcome = RunTests("Odd.*");
  ExpectPasses(outcome, 1);
  EXPECT_THAT(outcome.err, Not(HasSubstr("in this process")));
}

TEST(DuetsTest, DisabledTestsRunWhenAskedTo) {
  ExpectPasses(RunTests("Parser.DISABLED_IsOff", {"--gtest_also_run_disabled_tests"}), 1);
}

TEST(DuetsTest, RepeatingShufflingAndShardingChangeNothing) {
  const Outcome repeated =
      RunTests("Parser.Comp*:Many/*", {"--gtest_repeat=2", "--gtest_shuffle", "--gtest_color=yes"});
  EXPECT_EQ(repeated.status, 0) << repeated.out << repeated.err;
  EXPECT_THAT(repeated.out, AllOf(HasSubstr("(iteration 2)"), Not(HasSubstr("FAILED"))));

  int shards_with_tests = 0;
  for (const char* shard : {"0", "1"}) {
    const Outcome outcome =
        RunTests("Many/*", {}, {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", shard}});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    if (Count(outcome.out, "[       OK ]") > 0) ++shards_with_tests;
  }
  EXPECT_EQ(shards_with_tests, 2);
}

TEST(DuetsTest, FilesOfTheTestProgramAreWrittenOnce) {
  const Folder folder;
  const Outcome outcome =
      RunTests("Parser.NewIs*", {"--gtest_output=xml:" + folder.File("report.xml")},
               {{"TEST_PREMATURE_EXIT_FILE", folder.File("premature")}});
  ExpectPasses(outcome, 2);
  EXPECT_EQ(Count(TextOf(folder.File("report.xml")), "<testcase "), 2U);
  EXPECT_EQ(access(folder.File("premature").c_str(), F_OK), -1);
}

TEST(DuetsTest, AProvenSlowDownFailsAndSaysEverything) {
  const Outcome outcome = RunTests("Slow.Is*:Slow.Speed");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(Count(outcome.out, "\n[  FAILED  ] Slow."), 2 * 5U) << outcome.out;
  EXPECT_THAT(
      outcome.out,
      ContainsRegex("Expected: takes at most 1.5 times as long as old\n  Actual: [0-9.]+ x "
                    "\\[[0-9., ]+\\] SLOWER: new takes [0-9.]+ × the time of old .*\nFAIL "
                    "Slow.IsSlower: new takes [0-9.]+ × the time of old \\(99 % interval "
                    ".* ×\\), all above the limit of 1.5 ×. [2-8] runs( within [0-9.]+ s)?, "));
  EXPECT_THAT(outcome.out, HasSubstr("FAIL Slow.IsNotFaster: new takes"));
  EXPECT_THAT(outcome.out, ContainsRegex("FAIL Slow.Speed: new takes .* the time of old"));
  EXPECT_THAT(outcome.out, HasSubstr("(1.5 times as fast)"));
  EXPECT_THAT(outcome.out, HasSubstr("limits 0.9091 to 1.1 ×"));
  EXPECT_THAT(outcome.out, HasSubstr("Expected: is EQUAL\n"));
  // A DUET_TEST is pointed to where it stands.
  EXPECT_THAT(outcome.out, ContainsRegex("Expected: takes at most 1.5 times as long as old\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("duets_program.cc:[0-9]+: DUET_TEST"));
}

TEST(DuetsTest, ADuetTestWithoutADemandPrintsWhatCameOut) {
  const Outcome outcome = RunTests("Parser.OnlyMeasured");
  ExpectPasses(outcome, 1);
  EXPECT_THAT(outcome.out, ContainsRegex("\n[0-9.]+ x \\[[-+0-9.einf, ]+\\] [A-Z]+: .*[2-8] runs"));
}

TEST(DuetsTest, VariantsThatFailFailTheirTestAndNoOther) {
  const Outcome outcome = RunTests("Trouble.*:Parser.NewIsNotSlower", {}, {{"DUET_TIMEOUT", "3"}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("new threw std::runtime_error: no such file (in run 1)"));
  EXPECT_THAT(outcome.out, HasSubstr("old aborted: signal SIGABRT"));
  if (!kThreadSanitizer) {  // there an _exit may hang while other threads run
    EXPECT_THAT(outcome.out, HasSubstr("the process of the run exited with status 0"));
  }
  EXPECT_THAT(outcome.out,
              HasSubstr("new was still executing iterations after 3 s (--duet_timeout)"));
  EXPECT_THAT(outcome.out, HasSubstr("CompareOptions().Runs(0) should be a whole number from 1"));
  EXPECT_EQ(Count(outcome.out, "\n[  FAILED  ] Trouble."), 2 * 6U) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("[  PASSED  ] 1 test."));
}

TEST(DuetsTest, ExpectationsBeforeTheComparisonMatterOnceAndOnlyHere) {
  const Outcome outcome = RunTests("Slow.FailsBeforeItCompares");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(Count(outcome.out, "Failure\n"), 1U) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST(DuetsTest, OutsideOfATestRunsAreForks) { ExpectPasses(RunTests("Outside.*"), 1); }

TEST(DuetsTest, ARunThatDoesNotComeToTheCallIsReplacedByAFork) {
  const Folder folder;
  const Outcome outcome = RunTests("Lock.*", {}, {{"INTEGRATION_LOCK", folder.File("lock")}});
  ExpectPasses(outcome, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("warning: runs are forks of this process: a process of a run did not come "
                        "to this call of Compare: it exited with status 1 before it reported"));
}

// As under a debugger that lets the program run: every stop is continued at once.
Outcome RunTraced(const std::string& filter, const std::string& out) {
  const std::string argument = "--gtest_filter=" + filter;
  const pid_t pid = fork();
  if (pid == 0) {
    const int file = open(out.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(file, STDOUT_FILENO);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // it looks for them as a debugger itself
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    execl(DUETS_PROGRAM, DUETS_PROGRAM, argument.c_str(), nullptr);
    _exit(97);
  }
  Outcome outcome;
  outcome.pid = pid;
  int status = 0;
  while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
    const int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_CONT, pid, nullptr, signal);
  }
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = TextOf(out);
  return outcome;
}

TEST(DuetsTest, UnderADebuggerRunsAreForks) {
  const Folder folder;
  const Outcome outcome = RunTraced("Parser.OnlyMeasured", folder.File("out"));
  ExpectPasses(outcome, 1);
  EXPECT_THAT(outcome.out, HasSubstr("runs are forks of this process: a debugger is attached"));
}

TEST(DuetsTest, CtrlCEndsTheProgramAndItsRuns) {
  const Folder folder;
  const std::string program = folder.File("program");
  std::error_code error;
  std::filesystem::copy_file(DUETS_PROGRAM, program, error);
  ASSERT_FALSE(error) << error.message();
  Request request;
  request.program = program;
  // A copy with another code layout has another path.
  request.arguments = {"--gtest_filter=Trouble.NeverEnds", "--duet_layout=linked"};
  Program running(request);
  while (!running.HasEnded() && ProcessesOf(program).size() < 2) usleep(2000);
  running.Signal(SIGINT);
  const Outcome outcome = running.Wait();
  EXPECT_EQ(outcome.status, 128 + SIGINT) << outcome.out;
  EXPECT_TRUE(AllProcessesEnd(program));
}

TEST(DuetsTest, FlagsComeFromTheCommandLineAndTheEnvironment) {
  const Outcome one_run = RunTests("Parser.OnlyMeasured", {"--duet_runs=1"});
  ExpectPasses(one_run, 1);
  EXPECT_THAT(one_run.out, HasSubstr("(1 run"));
  EXPECT_THAT(
      RunTests("Parser.OnlyMeasured", {}, {{"DUET_RUNS", "3"}}).out,
      ContainsRegex("\\([1-3] runs?( within [0-9.]+ s)?[,;)]"));  // a run that was disturbed
                                                                  // throughout has no pairs
  const Outcome mistaken = RunTests("Parser.OnlyMeasured", {"--duet_rnus=1"});
  EXPECT_EQ(mistaken.status, 1);
  EXPECT_THAT(mistaken.out, HasSubstr("did you mean --duet_runs?"));
  const Outcome wrong = RunTests("Parser.OnlyMeasured", {}, {{"DUET_RUNS", "many"}});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("DUET_RUNS: 'many' should be"));
}

TEST(DuetsTest, WithoutALimitOfStacksVariantsHaveMoreThanThreadsHave) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have their own stacks";
  for (const char* runs : {"8", "1"}) {
    Request request;
    request.program = "/bin/sh";
    request.arguments = {"-c", "ulimit -s unlimited || exit 99; exec \"$0\" --gtest_filter=Stack.*",
                         DUETS_PROGRAM};
    request.environment = {{"DUET_RUNS", runs}};
    const Outcome outcome = Execute(request);
    if (outcome.status == 99) GTEST_SKIP() << "the limit cannot be raised";
    ExpectPasses(outcome, 2);
  }
}

}  // namespace
}  // namespace duetbench::integration
