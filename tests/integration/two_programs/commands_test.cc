// duet run: any two commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

nlohmann::json Compare(const std::string& old_command, const std::string& new_command,
                       std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"run", "--old=" + old_command, "--new=" + new_command});
  return ReportWith("duet", flags);
}

TEST(Commands, AreComparedByTheirWallTimes) {
  for (const std::string schedule : {"duet", "interleaved"}) {
    const double ratio =
        RatioOf(Compare("sleep 0.02", "sleep 0.06",
                        {"--duet_runs=5", "--duet_schedule=" + schedule, "--name=naps"}),
                "naps");
    EXPECT_GT(ratio, 1.5) << schedule;
    EXPECT_LT(ratio, 4) << schedule;
  }
}

TEST(Commands, HaveMemoryAndCpuTimes) {
  // A buffer of dd is resident as a whole.
  const nlohmann::json row = RowOf(Compare("dd if=/dev/zero of=/dev/null bs=32M count=2",
                                           "dd if=/dev/zero of=/dev/null bs=128M count=1"),
                                   "run");
  EXPECT_GT(row["perf.PEAK-RSS.old"].get<double>(), 32e6);
  // The memory of the tool is not added.
  EXPECT_LT(row["perf.PEAK-RSS.old"].get<double>(), 40e6);
  EXPECT_GT(row["perf.PEAK-RSS.new"].get<double>(), 128e6);
  EXPECT_TRUE(row.contains("perf.USER-TIME.old"));
  EXPECT_TRUE(row.contains("perf.SYSTEM-TIME.new"));
}

TEST(Commands, MayFailOnDemand) {
  const nlohmann::json row = RowOf(Compare("false", "exit 3", {"--any_exit_status"}), "run");
  EXPECT_EQ(row["perf.EXIT-STATUS.old"], 1);
  EXPECT_EQ(row["perf.EXIT-STATUS.new"], 3);
}

const Row kCommands[] = {
    {"more memory than a gate allows",
     "$duet run --old='dd if=/dev/zero of=/dev/null bs=32M count=2' "
     "--new='dd if=/dev/zero of=/dev/null bs=128M count=1' --duet_max_counter_ratio=PEAK-RSS:2",
     1, "PEAK-RSS [...]MiB"},
    {"a command that fails", "$duet run --old=true --new=\"echo 'no such input' >&2; exit 3\"", 2,
     "new exited with status 3: no such input"},
    {"a command that is not found", "$duet run --old='no-such-program -x' --new=true", 2,
     "not found"},
    {"a path that does not exist", "$duet run --old=./no-such-program --new=true", 2,
     "cannot execute ./no-such-program: No such file or directory"},
    {"a command that crashes", "$duet run --old=true --new='kill -SEGV $$'", 2, "signal 11"},
    {"where each exit status is accepted",
     "$duet run --any_exit_status --old=true --new='kill -SEGV $$'", 2, "signal 11"},
    {"a command that does not end", "$duet run --old=true --new='sleep 1000' --duet_timeout=0.5", 2,
     "new did not finish within 0.5 s (--duet_timeout="},
    {"input is empty and output goes nowhere",
     "$duet run --old=cat --new='head -c 20000000 /dev/zero | tee /dev/stderr' >out 2>&1; s=$?; "
     "test $(wc -c <out) -lt 10000 || exit 98; exit $s",
     0},
    {"words", "$duet run true true", 2},
};

TEST_ROWS(CommandRows, kCommands);

}  // namespace
}  // namespace duetbench::integration
