#include "duetbench/platform/environment.h"

#include <sys/personality.h>

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/file_tree.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::StartsWith;

TEST(EnvironmentWarnings, AreNoneOnAFitMachine) {
  EXPECT_THAT(EnvironmentWarnings(Environment()), IsEmpty()) << "nothing is known";
  Environment fit;
  fit.quota = CpuQuota{2, "/sys/fs/cgroup/a"};
  fit.load_average = 0.4;
  fit.runnable = 1;
  fit.online_cpus = 2;
  EXPECT_THAT(EnvironmentWarnings(fit), IsEmpty());
}

// The warnings of a machine where only this is wrong.
template <typename Change>
std::vector<std::string> WarningsWith(Change change) {
  Environment environment;
  change(environment);
  return EnvironmentWarnings(environment);
}

CpuQuota Quota(double cpus, const char* folder) { return {cpus, folder}; }

TEST(EnvironmentWarnings, NameEachFaultAndItsRemedy) {
  const struct {
    void (*change)(Environment&);
    const char* warning;
  } faults[] = {
      {[](Environment& e) { e.quota = Quota(1.5, "/sys/fs/cgroup/a"); },
       "the CPU quota is 1.5 and a duet needs 2: its threads are stopped in the middle of samples, "
       "whose pairs are then dropped; raise it (docker run --cpus=2; it is set in "
       "/sys/fs/cgroup/a/cpu.max)"},
      {[](Environment& e) { e.layout_fixed_for_system = true; },
       "the memory layout is the same in every run (address randomization is off), so its effect "
       "on the ratio does not average out; sysctl kernel.randomize_va_space=2"},
      {[](Environment& e) { e.layout_fixed_for_process = true; },
       "the memory layout is the same in every run (address randomization is off), so its effect "
       "on the ratio does not average out; run without setarch -R or a debugger"},
      {[](Environment& e) { e.tracer = 42; },
       "process 42 traces this one (a debugger, strace), which delays system calls and signals; "
       "measure without it"},
      {[](Environment& e) { e.optimized = false; },
       "duetbench was built without optimization, which makes its loop slow and ratios too close "
       "to 1; build with -O2 (CMAKE_BUILD_TYPE=Release)"},
      {[](Environment& e) { e.sanitizer = "ThreadSanitizer"; },
       "built with ThreadSanitizer: its checks are part of the measured time; build without it"},
  };
  for (const auto& [change, warning] : faults) {
    EXPECT_THAT(WarningsWith(change), ElementsAre(warning));
  }
}

TEST(EnvironmentWarnings, ComplainOfLoadThatLastsAndIsThereNow) {
  const auto with = [](int cpus, double average, int runnable) {
    return WarningsWith([&](Environment& e) {
      e.online_cpus = cpus;
      e.load_average = average;
      e.runnable = runnable;
    });
  };
  EXPECT_THAT(with(2, 1.2, 2), ElementsAre(StartsWith("1 other thread wants to run on 2 CPUs")));
  EXPECT_THAT(with(8, 9, 10), ElementsAre(StartsWith("9 other threads want to run on 8 CPUs")));
  EXPECT_THAT(with(2, 2.0, 1), IsEmpty()) << "right after a build";
  EXPECT_THAT(with(2, 0.1, 3), IsEmpty()) << "for a moment";
  EXPECT_THAT(with(64, 40, 41), IsEmpty()) << "CPUs enough";
}

TEST(ReadEnvironment, ReadsTheFiles) {
  FileTree tree;
  const std::string system = "/sys/devices/system";
  tree.Write("/proc/self/cgroup", "0::/a");
  tree.Write("/sys/fs/cgroup/a/cpu.max", "100000 100000");
  tree.Write("/proc/sys/kernel/randomize_va_space", "0");
  tree.Write(system + "/cpu/online", "0-3");
  tree.Write("/proc/self/status", "Name:\tx\nTracerPid:\t17\nUid:\t0");
  tree.Write("/proc/loadavg", "3.39 0.22 0.09 4/85 5649");
  const Environment environment = ReadEnvironment(tree.root());
  EXPECT_THAT(environment.quota, Optional(testing::Field(&CpuQuota::cpus, 1)));
  EXPECT_TRUE(environment.layout_fixed_for_system);
  EXPECT_THAT(environment.tracer, Optional(17));
  EXPECT_THAT(environment.load_average, Optional(3.39));
  EXPECT_THAT(environment.runnable, Optional(4));
  EXPECT_EQ(environment.online_cpus, 4);
}

TEST(ReadEnvironment, LeavesUnknownWhatIsMissing) {
  const FileTree tree;
  const Environment environment = ReadEnvironment(tree.root());
  EXPECT_EQ(environment.quota, std::nullopt);
  EXPECT_FALSE(environment.layout_fixed_for_system);
  EXPECT_EQ(environment.tracer, std::nullopt);
  EXPECT_EQ(environment.load_average, std::nullopt);
  EXPECT_EQ(environment.runnable, std::nullopt);
  EXPECT_EQ(environment.online_cpus, 0);
}

TEST(ReadEnvironment, SeesThatThisProcessHasAFixedLayout) {
  const int before = personality(0xffffffff);
  if (before == -1 || personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) == -1) {
    GTEST_SKIP() << "personality() is not allowed here";
  }
  const FileTree tree;
  EXPECT_TRUE(ReadEnvironment(tree.root()).layout_fixed_for_process);
  personality(static_cast<unsigned long>(before) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
  EXPECT_FALSE(ReadEnvironment(tree.root()).layout_fixed_for_process);
  personality(static_cast<unsigned long>(before));
}

TEST(ReadEnvironment, KnowsTheBuild) {
  const FileTree tree;
  const Environment environment = ReadEnvironment(tree.root());
  if (kAddressSanitizer) {
    EXPECT_EQ(environment.sanitizer, "AddressSanitizer");
  } else if (kThreadSanitizer) {
    EXPECT_EQ(environment.sanitizer, "ThreadSanitizer");
  } else if (!kKnownUndefinedBehaviorSanitizer) {
    EXPECT_EQ(environment.sanitizer, "");
  }
#if defined(__OPTIMIZE__)  // else only the tests may be what is not optimized
  EXPECT_TRUE(environment.optimized);
#endif
}

TEST(TracerOf, ReadsTheStatusOfAProcess) {
  EXPECT_EQ(TracerOf("Name:\tx\nTracerPid:\t0\nUid:\t0\n"), std::nullopt);
  EXPECT_EQ(TracerOf("Name:\tx\nTracerPid:\t4711\nUid:\t0\n"), 4711);
  EXPECT_EQ(TracerOf(""), std::nullopt);
}

TEST(ParseCpuMax, GivesCpus) {
  EXPECT_THAT(ParseCpuMax("150000 100000\n"), Optional(DoubleEq(1.5)));
  EXPECT_THAT(ParseCpuMax("5000 10000"), Optional(DoubleEq(0.5)));
  for (const char* none : {"max 100000", "", "1", "0 100000", "100000 0", "-1 100000", "a b",
                           "inf 100000", "1e300 1e-300"}) {
    EXPECT_EQ(ParseCpuMax(none), std::nullopt) << none;
  }
}

// The smallest quota of the groups /a and /a/b, and of what is mounted, for a process in `group`:
// "0.5 /a"; "none".
std::string QuotaIn(const std::string& proc_cgroup, const std::string& of_mount,
                    const std::string& of_a, const std::string& of_b) {
  FileTree tree;
  tree.Write("/proc/self/cgroup", proc_cgroup);
  const std::string mount = "/sys/fs/cgroup";
  if (!of_mount.empty()) tree.Write(mount + "/cpu.max", of_mount);
  tree.Write(mount + "/a/cpu.max", of_a);
  tree.Write(mount + "/a/b/cpu.max", of_b);
  const std::optional<CpuQuota> quota = ReadCpuQuota(tree.root());
  if (!quota.has_value()) return "none";
  return std::to_string(quota->cpus).substr(0, 3) + " " +
         quota->folder.substr(tree.root().size() + mount.size());
}

TEST(ReadCpuQuota, IsTheSmallestOfAllGroupsUpToTheMount) {
  EXPECT_EQ(QuotaIn("0::/a/b", "", "max 100000", "max 100000"), "none");
  EXPECT_EQ(QuotaIn("0::/a/b", "", "150000 100000", "max 100000"), "1.5 /a");
  EXPECT_EQ(QuotaIn("0::/a/b", "", "400000 100000", "50000 50000"), "1.0 /a/b");
  EXPECT_EQ(QuotaIn("0::/a", "", "400000 100000", "50000 50000"), "4.0 /a") << "b is another's";
  EXPECT_EQ(QuotaIn("0::/", "50000 100000", "1 1", "1 1"), "0.5 ") << "a namespace";
  EXPECT_EQ(QuotaIn("0::/docker/abc", "50000 100000", "1 1", "1 1"), "0.5 ") << "not mounted";
  EXPECT_EQ(QuotaIn("0::/../a", "50000 100000", "1 100", "1 100"), "0.5 ") << "moved out";
  EXPECT_EQ(QuotaIn("3:cpu:/a\n1:name=systemd:/x", "50000 100000", "1 9", "1 9"), "0.5 ")
      << "version 1 is not read";
  EXPECT_EQ(ReadCpuQuota(FileTree().root()), std::nullopt);
}

}  // namespace
}  // namespace duetbench
