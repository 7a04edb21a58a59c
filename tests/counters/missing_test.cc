#include "duetbench/counters/missing.h"

#include <cerrno>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/counters/fake_perf.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const EventCode kCycles = HardwareCode(PERF_COUNT_HW_CPU_CYCLES);

TEST(ExplainRefusal, WithoutAPmu) {
  const MissingEvent missing = ExplainRefusal("CYCLES", kCycles, ENOENT, {2, false});
  EXPECT_EQ(missing.name, "CYCLES");
  EXPECT_THAT(missing.reason, AllOf(HasSubstr("no performance monitoring unit (PMU)"),
                                    HasSubstr("No such file or directory")));
  EXPECT_THAT(missing.remedy, HasSubstr("virtual PMU"));
}

TEST(ExplainRefusal, APmuWithoutTheEvent) {
  for (const int error : {ENOENT, ENODEV, EOPNOTSUPP}) {
    const MissingEvent missing = ExplainRefusal("X", kCycles, error, {2, true});
    EXPECT_THAT(missing.reason, HasSubstr("the PMU of this machine does not count it"));
    EXPECT_THAT(missing.remedy, Not(HasSubstr("VM")));
  }
}

TEST(ExplainRefusal, ForbiddenByParanoia) {
  const MissingEvent user = ExplainRefusal("CYCLES", kCycles, EACCES, {3, true});
  EXPECT_THAT(user.reason,
              AllOf(HasSubstr("kernel.perf_event_paranoid is 3"), HasSubstr("Permission denied")));
  EXPECT_THAT(user.remedy,
              AllOf(HasSubstr("sysctl kernel.perf_event_paranoid=2"), HasSubstr("CAP_PERFMON")));
  EventCode kernel = kCycles;
  kernel.exclude_kernel = 0;
  EXPECT_THAT(ExplainRefusal("CYCLES:k", kernel, EACCES, {2, true}).remedy,
              HasSubstr("kernel.perf_event_paranoid=1"));
}

TEST(ExplainRefusal, ForbiddenInAContainer) {
  const MissingEvent missing = ExplainRefusal("CYCLES", kCycles, EPERM, {4, true});
  EXPECT_THAT(missing.reason, AllOf(HasSubstr("seccomp"), HasSubstr("perf_event_paranoid is 4"),
                                    HasSubstr("Operation not permitted")));
  EXPECT_THAT(missing.remedy, HasSubstr("--cap-add=PERFMON"));
}

TEST(ExplainRefusal, WithoutTheSystemCall) {
  EXPECT_THAT(ExplainRefusal("CYCLES", kCycles, ENOSYS, {}).reason,
              HasSubstr("has no perf_event_open"));
}

TEST(ExplainRefusal, EveryErrorIsSaidInWords) {
  for (const int error : {EMFILE, EBUSY, EINVAL, ENOSPC, E2BIG, EIO}) {
    EXPECT_THAT(ExplainRefusal("CYCLES", kCycles, error, {2, true}).reason,
                HasSubstr(std::strerror(error)));
  }
}

TEST(MissingLines, EachReasonOnce) {
  const std::vector<MissingEvent> missing = {
      {"A", "no PMU", "buy one"}, {"B", "unknown", ""}, {"C", "no PMU", "buy one"}};
  EXPECT_THAT(MissingLines(missing),
              ElementsAre("not counted: A, C: no PMU; buy one", "not counted: B: unknown"));
}

TEST(ReadPerfSurroundings, SeesParanoiaAndPmus) {
  FileTree machine;
  machine.Write("/proc/sys/kernel/perf_event_paranoid", "-1\n");
  machine.Write("/sys/bus/event_source/devices/software/type", "1\n");
  PerfSurroundings surroundings = ReadPerfSurroundings(machine.root());
  EXPECT_EQ(surroundings.paranoid, -1);
  EXPECT_FALSE(surroundings.has_pmu);
  machine.Write("/sys/bus/event_source/devices/cpu_core/type", "4\n");
  EXPECT_TRUE(ReadPerfSurroundings(machine.root()).has_pmu);
}

TEST(ReadPerfSurroundings, OfAMachineWithoutThem) {
  const FileTree machine;
  EXPECT_FALSE(ReadPerfSurroundings(machine.root()).paranoid.has_value());
  EXPECT_FALSE(ReadPerfSurroundings(machine.root()).has_pmu);
}

}  // namespace
}  // namespace duetbench
