// The tool duet: two builds of a program, in a process each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

// The report of the benchmarks that `filter` selects, with these flags.
nlohmann::json Compared(const std::string& filter, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(),
               {PathOf("build_old"), PathOf("build_new"), "--benchmark_filter=" + filter});
  return ReportWith("duet", flags);
}

// New does `factor` times the work. Who else is on the core makes one of them twice as slow.
void ExpectFactor(double factor, const nlohmann::json& report, const std::string& name) {
  EXPECT_GT(RatioOf(report, name), factor / 2.5) << name;
  EXPECT_LT(RatioOf(report, name), factor * 2.5) << name;
}

TEST(TwoPrograms, WhatBothHaveIsCompared) {
  const nlohmann::json report = Compared("^(plain|same|fixture|manual|pair)");
  ExpectFactor(10, report, "plain");
  ExpectFactor(10, report, "fixture/2");
  ExpectFactor(10, report, "pair");
  EXPECT_NEAR(RatioOf(report, "manual/manual_time"), 2, 1e-9);
  for (const char* name : {"same/n:1", "same/n:3"}) ExpectFactor(1, report, name);
  EXPECT_EQ(report["context"]["duet_old"], PathOf("build_old"));
}

TEST(TwoPrograms, TheVariantIsChosen) {
  const nlohmann::json report = Compared("^pair", {"--duet_variant=both"});
  ExpectFactor(1, report, "pair/variant:old");
  ExpectFactor(10, report, "pair/variant:new");
}

TEST(TwoPrograms, SeveralThreadsTakeTurns) {
  ExpectFactor(10, Compared("^threads/", {"--benchmark_min_time=0.4"}), "threads/threads:2");
}

TEST(TwoPrograms, OneVariantInEachMeets) {
  const nlohmann::json report = Compared("^side_(any|none|plain|manual)");
  for (const char* name : {"side_any/1", "side_none", "side_plain"}) {
    ExpectFactor(10, report, name);
  }
  EXPECT_NEAR(RatioOf(report, "side_manual/manual_time"), 2, 1e-9);
}

TEST(OneVariant, AloneIsAnOrdinaryBenchmark) {
  const nlohmann::json report = ReportOf("build_new", "^side_(any|none|plain|batches|manual)");
  const nlohmann::json any = RowOf(report, "side_any/1");
  EXPECT_GT(any["items_per_second"].get<double>(), 0);
  EXPECT_EQ(any["label"], "any");
  EXPECT_GT(any["iterations"].get<int64_t>(), 1);
  EXPECT_GT(RowOf(report, "side_none")["real_time"].get<double>(), 0);
  EXPECT_GT(RowOf(report, "side_plain")["real_time"].get<double>(), 0);
  EXPECT_NEAR(RowOf(report, "side_manual/manual_time")["real_time"].get<double>(), 2000, 1e-6);
  // Two groups of seven iterations.
  const nlohmann::json batches = RowOf(report, "side_batches/iterations:10");
  EXPECT_EQ(batches["iterations"], 14);
  EXPECT_EQ(batches["n"], 14);
}

TEST(OneVariant, AloneFailsAsAnOrdinaryBenchmarkDoes) {
  const auto error = [](const std::string& filter) -> std::string {
    const Outcome outcome =
        Execute("build_new", {"--benchmark_filter=" + filter, "--benchmark_format=json"});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    const nlohmann::json rows = JsonOf(outcome.out)["benchmarks"];
    return rows.empty() ? "no row" : rows[0].value("error_message", "");
  };
  EXPECT_EQ(error("^side_fails"), "no input");
  EXPECT_EQ(error("^side_threads"), "a function of duetbench::State& has one thread");
}

TEST(TwoPrograms, EachScheduleWorks) {
  for (const char* schedule : {"duet", "interleaved"}) {
    ExpectFactor(10, Compared("^plain$", {std::string("--duet_schedule=") + schedule}), "plain");
  }
}

TEST(TwoPrograms, CommandsAreForTheShell) {
  const Outcome outcome =
      Execute("duet", {"--old=env A=1 " + PathOf("build_old"),
                       "--new=B='1 2' " + PathOf("build_new"), "--benchmark_filter=^plain$",
                       "--benchmark_format=json", "--", "--benchmark_color=false"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  ExpectFactor(10, JsonOf(outcome.out), "plain");
}

TEST(TwoPrograms, AFailureNamesTheSideAndTheCause) {
  // Other tests run the same programs at the same time.
  Folder folder;
  const std::string old_program = folder.CopyOf("build_old");
  const std::string new_program = folder.CopyOf("build_new");
  const auto error = [&](const std::string& name, const std::string& timeout = "20") {
    const Outcome outcome = Execute("duet", {old_program, new_program, "--duet_timeout=" + timeout,
                                             "--benchmark_filter=^" + name + "$"});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(AllProcessesEnd(old_program));
    EXPECT_TRUE(AllProcessesEnd(new_program));
    return outcome.out;
  };
  EXPECT_THAT(error("crashes"), Says("new crashed: signal SIGSEGV"));
  EXPECT_THAT(error("killed"), Says("new was killed by signal 9"));
  EXPECT_THAT(error("exits"), Says("new called exit() with status 3"));
  EXPECT_THAT(error("hangs", "1"), Says("new was still in its set-up after 1 s"));
  EXPECT_THAT(error("stops", "1"), Says("new was stopped (by a signal or a debugger)"));
}

TEST(TwoPrograms, NothingIsLeftWhenTheToolIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    Folder folder;
    const std::string old_program = folder.CopyOf("build_old");
    Request request;
    request.program = PathOf("duet");
    // A shell stays between the tool and the second program.
    request.arguments = {old_program, "--new=sh -c '\"$0\" \"$@\"; true' " + old_program,
                         "--benchmark_filter=^long"};
    Program tool(request);
    ASSERT_TRUE(Eventually([&] { return !ProcessesOf(old_program).empty(); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    tool.Signal(signal);
    EXPECT_TRUE(AllProcessesEnd(old_program)) << signal;
    tool.Wait();
  }
}

// While other programs disturb most pairs, a gate decides nothing.
#define GATE(limit)                                                                \
  "for i in $(seq 20); do $duet $build_old $build_new --benchmark_filter=^manual " \
  "--duet_max_ratio=" limit                                                        \
  " >out; s=$?; grep -q 'too many pairs were disturbed' out || break; "            \
  "done; exit $s"

const Row kTwoPrograms[] = {
    {"a gate below the ratio", GATE("1.9"), 1},
    {"a gate above the ratio", GATE("2.1"), 0},
    {"benchmarks of one program alone",
     "$duet $build_old $build_new '--benchmark_filter=^(same|only|threads)'", 0,
     "duet: only old has: only_old\n[...]duet: only new has: only_new\n"},
    {"several threads",
     "$duet $build_old $build_new --benchmark_filter=^threads/ --benchmark_min_time=0.4", 0,
     "; not a duet: 2 threads, one program after the other)"},
    // Gates on the time of the tool are none of the two others.
    {"several threads and a gate",
     "DUET_MAX_RATIO=100 $duet $build_old $build_new --benchmark_filter=^threads/ "
     "--benchmark_min_time=0.4; test $? != 2",
     0},
    {"an error with several threads",
     "$duet $build_old $build_new --benchmark_filter=^side_threads", 2,
     "reported an error: a function of duetbench::State& has one thread"},
    {"a program that does not exist", "$duet $build_old /no/such/program", 2,
     "new (/no/such/program): cannot start"},
    {"a program of another kind", "$duet $build_old /bin/true", 2,
     "new (/bin/true) does not answer"},
    {"nothing in common", "$duet $build_old $suite", 2, "have no benchmark in common"},
    {"three that do not exist", "$duet a b c", 2},
    // Not `>&`: shells take one digit there.
    {"another protocol",
     "echo \"printf 'duetbench-handshake 99 9.9.9 tsc\\\\n' > "
     "/proc/self/fd/\\$DUETBENCH_RESULT_FD\" >other; $duet $build_old --new='sh ./other'; s=$?; "
     "echo $build_old; exit $s",
     2, "new (sh ./other) speaks 99 (duetbench 9.9.9)"},
};

TEST_ROWS(TwoProgramsRows, kTwoPrograms);

}  // namespace
}  // namespace duetbench::integration
