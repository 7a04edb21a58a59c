#include <optional>
#include <string>

#include "duetbench/platform/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::DoubleEq;
using ::testing::Optional;

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
