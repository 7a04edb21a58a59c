// duet run: any two commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Outcome Compare(const std::string& old_command, const std::string& new_command,
                const std::vector<std::string>& flags = {}) {
  std::vector<std::string> arguments = {"run", "--old=" + old_command, "--new=" + new_command};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return Execute("duet", arguments);
}

TEST(Commands, AreComparedByTheirWallTimes) {
  for (const std::string schedule : {"duet", "interleaved"}) {
    const Outcome outcome = Compare(
        "sleep 0.02", "sleep 0.06",
        {"--duet_runs=5", "--duet_schedule=" + schedule, "--name=naps", "--benchmark_format=json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const nlohmann::json row = RowOf(JsonOf(outcome.out), "naps");
    EXPECT_GT(row["ratio"].get<double>(), 1.5) << schedule;
    EXPECT_LT(row["ratio"].get<double>(), 4) << schedule;
  }
}

TEST(Commands, HaveMemoryAndCpuTimes) {
  // A buffer of dd is resident as a whole.
  const std::string small = "dd if=/dev/zero of=/dev/null bs=32M count=2";
  const std::string large = "dd if=/dev/zero of=/dev/null bs=128M count=1";
  const Outcome outcome = Compare(small, large, {"--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json row = RowOf(JsonOf(outcome.out), "run");
  EXPECT_GT(row["perf.PEAK-RSS.old"].get<double>(), 32e6);
  // The memory of the tool is not added.
  EXPECT_LT(row["perf.PEAK-RSS.old"].get<double>(), 40e6);
  EXPECT_GT(row["perf.PEAK-RSS.new"].get<double>(), 128e6);
  EXPECT_TRUE(row.contains("perf.USER-TIME.old"));
  EXPECT_TRUE(row.contains("perf.SYSTEM-TIME.new"));
  const Outcome gate = Compare(small, large, {"--duet_max_counter_ratio=PEAK-RSS:2"});
  EXPECT_EQ(gate.status, 1) << gate.out;
  EXPECT_THAT(gate.out, AllOf(HasSubstr("PEAK-RSS"), HasSubstr("MiB")));
}

TEST(Commands, ThatFailAreErrorsThatNameThem) {
  const Outcome outcome = Compare("true", "echo 'no such input' >&2; exit 3");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("new exited with status 3: no such input"));
  const Outcome missing = Compare("no-such-program -x", "true");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(Compare("./no-such-program", "true").out,
              HasSubstr("cannot execute ./no-such-program: No such file or directory"));
  EXPECT_THAT(missing.out, HasSubstr("not found"));
  EXPECT_EQ(Compare("true", "kill -SEGV $$").status, 2);
}

TEST(Commands, MayFailOnDemand) {
  const Outcome outcome =
      Compare("false", "exit 3", {"--any_exit_status", "--benchmark_format=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json row = RowOf(JsonOf(outcome.out), "run");
  EXPECT_EQ(row["perf.EXIT-STATUS.old"], 1);
  EXPECT_EQ(row["perf.EXIT-STATUS.new"], 3);
  EXPECT_EQ(Compare("true", "kill -SEGV $$", {"--any_exit_status"}).status, 2);
}

TEST(Commands, ThatDoNotEndAreKilled) {
  const Outcome outcome = Compare("true", "sleep 1000", {"--duet_timeout=0.5"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("new did not finish within 0.5 s (--duet_timeout="));
}

TEST(Commands, HaveAnEmptyInputAndTheirOutputGoesNowhere) {
  const Outcome outcome = Compare("cat", "head -c 20000000 /dev/zero | tee /dev/stderr");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_LT(outcome.out.size() + outcome.err.size(), 10000u);
}

TEST(Commands, AreNecessary) {
  EXPECT_THAT(Execute("duet", {"run", "--old=true"}).err, HasSubstr("there is no new command"));
  EXPECT_EQ(Execute("duet", {"run", "--old=true", "--new="}).status, 2);
  EXPECT_EQ(Execute("duet", {"run", "true", "true"}).status, 2);
}

}  // namespace
}  // namespace duetbench::integration
