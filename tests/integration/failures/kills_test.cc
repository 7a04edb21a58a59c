// The end of a suite by a signal: Ctrl-C, or a kill at a random time of it, one of its runs, or
// both. Afterwards there is no process of it, and every output is whole or absent. Other signals
// and moments are in failures_test.cc.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::ContainsRegex;

constexpr int kSignals[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP};
// The suite takes about 1 s.
constexpr int kMaxDelayMs = 1200;

// DUETBENCH_KILLS=500 is the long test.
int NumberOfKills() {
  const char* const text = std::getenv("DUETBENCH_KILLS");
  return text != nullptr ? std::max(std::atoi(text), 1) : 20;
}

enum Target { kProgram, kRun, kBoth };

class KillsTest : public ::testing::Test {
 protected:
  Request Suite() const {
    Request request;
    request.program = copy_;
    request.arguments = {"--benchmark_filter=BM_Once|BM_OldSteps|Apples",
                         "--duet_max_ratio=50",
                         "--benchmark_out=r.json",
                         "--duet_out=p.csv",
                         "--duet_junit=j.xml",
                         "--duet_summary=s.md"};
    request.folder = outputs_.path();
    return request;
  }

  // The processes of its runs.
  std::vector<pid_t> RunsOf(const Program& program) const {
    std::vector<pid_t> runs = ProcessesOf(copy_);
    runs.erase(std::remove(runs.begin(), runs.end(), program.pid()), runs.end());
    return runs;
  }

  void RemoveParts() const {
    for (const auto& entry : fs::directory_iterator(outputs_.path())) {
      if (entry.path().extension() == ".part") fs::remove(entry);
    }
  }

  size_t NumberOfOutputs() const {
    const fs::directory_iterator outputs(outputs_.path());
    return static_cast<size_t>(std::distance(begin(outputs), end(outputs)));
  }

  const Folder program_;
  const Folder outputs_;
  const std::string copy_ = program_.CopyOf("suite");
};

TEST_F(KillsTest, LeaveNothingBehind) {
  std::mt19937 random(14);
  std::map<std::string, int> ends;
  const int kills = NumberOfKills();
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    // Some outputs of the earlier program are still there, every other time.
    if (i % 2 == 0) {
      for (const auto& entry : fs::directory_iterator(outputs_.path())) fs::remove(entry);
    }
    const int number = kSignals[random() % std::size(kSignals)];
    const auto target = static_cast<Target>(random() % 3);
    const milliseconds delay(random() % kMaxDelayMs);
    SCOPED_TRACE(absl::StrCat("kill ", i, ": signal ", number, ", target ", target, ", after ",
                              delay.count(), " ms"));
    Program program(Suite());
    std::this_thread::sleep_for(delay);
    if (target != kProgram) {
      for (const pid_t run : RunsOf(program)) kill(run, number);
    }
    if (target != kRun && !program.HasEnded()) program.Signal(number);
    const Outcome outcome = program.Wait();
    ++ends[absl::StrCat("signal ", number, " to ",
                        target == kProgram ? "the program"
                        : target == kRun   ? "the run"
                                           : "both",
                        ": status ", outcome.status)];
    // 77: the gate of a run that was cut short is undecided.
    EXPECT_THAT(outcome.status, AnyOf(0, 2, 77, 128 + number)) << outcome.err;
    EXPECT_TRUE(AllProcessesEnd(copy_));
    if (outcome.status == 128 + SIGKILL) RemoveParts();
    ExpectWholeFiles(outputs_);
    if (outcome.status == 0) {
      EXPECT_EQ(NumberOfOutputs(), 4u);
    }
  }
  for (const auto& [end, count] : ends) std::printf("  %4d  %s\n", count, end.c_str());
}

// --- Ctrl-C in the middle of a suite ---

// The number of processes of the pilots and some runs, of which a few may be disturbed.
constexpr size_t kMoreThanPilots = 24;

// Minutes of measuring, for a machine that stands still meanwhile, in runs of 0.2 s; in a copy of
// the program that no other test executes.
class InterruptTest : public ::testing::Test {
 protected:
  Request Long(const std::vector<std::string>& arguments) {
    Request request;
    request.program = copy_;
    request.arguments = arguments;
    request.environment = {
        {"INTEGRATION_LOG", log_}, {"DUET_RUNS", "1000"}, {"BENCHMARK_MIN_TIME", "200"}};
    request.max_seconds = 600;
    return request;
  }

  const Folder folder_;
  const std::string log_ = folder_.File("log");
  const std::string copy_ = folder_.CopyOf("suite");
};

TEST_F(InterruptTest, PrintsWhatHasBeenMeasuredAndEndsTheChildren) {
  Program program(Long({"--benchmark_filter=BM_Once|BM_OldSteps", "--duet_order=sequential"}));
  ASSERT_TRUE(AwaitProcesses(program, log_, kMoreThanPilots));
  program.Signal(SIGINT);
  const Outcome outcome = program.Wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes/old  +[0-9]"));
  EXPECT_THAT(outcome.out, ContainsRegex("\\(([3-9]|[1-9][0-9]) runs.*; "
                                         "interrupted, 1000 runs were planned\\)\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("BM_OldSteps_vs_BM_NewSteps/20 +ERROR OCCURRED: 'not "
                                         "measured: interrupted'"));
  EXPECT_TRUE(AllProcessesEnd(copy_));
}

}  // namespace
}  // namespace duetbench::integration
