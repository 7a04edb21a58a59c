#include "duetbench/platform/cgroup.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;

MATCHER_P2(Group, version, folder, "") {
  return arg.version == version && arg.folder == std::string(folder);
}

// Lines of /proc/self/mountinfo as kernels print them.
constexpr char kRootMount[] = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n";
constexpr char kV2Mount[] =
    "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr char kV1Mount[] =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:3 - cgroup cgroup "
    "rw,cpu,cpuacct\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
    "34 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";

TEST(CpuGroupsOf, FindsTheAncestorsInVersion2) {
  EXPECT_THAT(CpuGroupsOf("0::/user.slice/user-0.slice/session-1.scope",
                          std::string(kRootMount) + kV2Mount),
              ElementsAre(Group(2, "/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope"),
                          Group(2, "/sys/fs/cgroup/user.slice/user-0.slice"),
                          Group(2, "/sys/fs/cgroup/user.slice"), Group(2, "/sys/fs/cgroup")));
}

TEST(CpuGroupsOf, FindsTheCpuControllerInVersion1) {
  EXPECT_THAT(CpuGroupsOf("5:memory:/elsewhere\n4:cpuset:/other\n3:cpu,cpuacct:/a/b\n",
                          std::string(kRootMount) + kV1Mount),
              ElementsAre(Group(1, "/sys/fs/cgroup/cpu,cpuacct/a/b"),
                          Group(1, "/sys/fs/cgroup/cpu,cpuacct/a"),
                          Group(1, "/sys/fs/cgroup/cpu,cpuacct")));
}

TEST(CpuGroupsOf, LooksAtBothOfAHybrid) {
  const std::string unified =
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
  EXPECT_THAT(
      CpuGroupsOf("2:cpu,cpuacct:/a\n1:name=systemd:/x\n0::/x", std::string(kV1Mount) + unified),
      ElementsAre(Group(1, "/sys/fs/cgroup/cpu,cpuacct/a"), Group(1, "/sys/fs/cgroup/cpu,cpuacct"),
                  Group(2, "/sys/fs/cgroup/unified/x"), Group(2, "/sys/fs/cgroup/unified")));
}

TEST(CpuGroupsOf, FollowsTheRootOfTheMount) {
  // A container of version 1 without a namespace: the group's own folder is mounted.
  const std::string own =
      "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n";
  EXPECT_THAT(CpuGroupsOf("3:cpu,cpuacct:/docker/abc", own),
              ElementsAre(Group(1, "/sys/fs/cgroup/cpu")));
  EXPECT_THAT(CpuGroupsOf("3:cpu,cpuacct:/docker/abc/inner", own),
              ElementsAre(Group(1, "/sys/fs/cgroup/cpu/inner"), Group(1, "/sys/fs/cgroup/cpu")));
  // A path that only begins with the same letters, or is outside: what is mounted has to do.
  EXPECT_THAT(CpuGroupsOf("3:cpu,cpuacct:/docker/abcdef", own),
              ElementsAre(Group(1, "/sys/fs/cgroup/cpu")));
  EXPECT_THAT(CpuGroupsOf("0::/../other", kV2Mount), ElementsAre(Group(2, "/sys/fs/cgroup")));
}

TEST(CpuGroupsOf, TakesTheMountThatShowsMost) {
  const std::string part = "50 1 0:28 /a /mnt/part rw - cgroup2 cgroup2 rw\n";
  const std::string other = "51 1 0:28 /b /mnt/other rw - cgroup2 cgroup2 rw\n";
  for (const std::string& mounts :
       {absl::StrCat(other, part, kV2Mount), absl::StrCat(kV2Mount, part, other)}) {
    EXPECT_THAT(CpuGroupsOf("0::/a/b", mounts),
                ElementsAre(Group(2, "/sys/fs/cgroup/a/b"), Group(2, "/sys/fs/cgroup/a"),
                            Group(2, "/sys/fs/cgroup")));
  }
}

TEST(CpuGroupsOf, ReadsEscapedNames) {
  EXPECT_THAT(CpuGroupsOf("0::/", "31 23 0:28 / /mnt/my\\040groups\\134 rw - cgroup2 c rw\n"),
              ElementsAre(Group(2, "/mnt/my groups\\")));
}

TEST(CpuGroupsOf, FindsNothingWhereThereIsNothing) {
  EXPECT_THAT(CpuGroupsOf("", ""), IsEmpty());
  EXPECT_THAT(CpuGroupsOf("0::/a", kRootMount), IsEmpty()) << "not mounted";
  EXPECT_THAT(CpuGroupsOf("3:cpuset:/a", kV1Mount), IsEmpty()) << "cpuset is another controller";
  EXPECT_THAT(CpuGroupsOf("what is this", "31 23 / - cgroup2"), IsEmpty());
}

TEST(ParseCpuMax, GivesCpus) {
  EXPECT_THAT(ParseCpuMax("150000 100000\n"), Optional(DoubleEq(1.5)));
  EXPECT_THAT(ParseCpuMax("5000 10000"), Optional(DoubleEq(0.5)));
  for (const char* none : {"max 100000", "", "1", "0 100000", "100000 0", "-1 100000", "a b",
                           "inf 100000", "1e300 1e-300"}) {
    EXPECT_EQ(ParseCpuMax(none), std::nullopt) << none;
  }
}

// A process in /a/b/c of version 2.
class Version2 : public ::testing::Test {
 protected:
  Version2() {
    tree_.Write("/proc/self/cgroup", "0::/a/b/c");
    tree_.Write("/proc/self/mountinfo", std::string(kRootMount) + kV2Mount);
    for (const char* group : {"/a", "/a/b", "/a/b/c"}) SetQuota(group, "max 100000");
  }

  void SetQuota(const std::string& group, const std::string& text) {
    tree_.Write("/sys/fs/cgroup" + group + "/cpu.max", text);
  }
  std::optional<CpuQuota> Effective() const {
    return EffectiveCpuQuota(ReadCpuQuotas(tree_.root()));
  }

  FileTree tree_;
};

TEST_F(Version2, HasNoQuotaWhenAllIsMax) {
  EXPECT_THAT(ReadCpuQuotas(tree_.root()), IsEmpty());
  EXPECT_EQ(Effective(), std::nullopt);
}

TEST_F(Version2, FindsTheQuotaOfAnAncestor) {
  SetQuota("/a", "150000 100000");
  ASSERT_TRUE(Effective().has_value());
  EXPECT_DOUBLE_EQ(Effective()->cpus, 1.5);
  EXPECT_EQ(Effective()->folder, tree_.root() + "/sys/fs/cgroup/a");
  EXPECT_EQ(Effective()->version, 2);
}

TEST_F(Version2, TakesTheSmallestOfNestedQuotas) {
  SetQuota("/a", "400000 100000");
  SetQuota("/a/b", "50000 50000");
  SetQuota("/a/b/c", "200000 100000");
  EXPECT_THAT(
      ReadCpuQuotas(tree_.root()),
      ElementsAre(Field(&CpuQuota::cpus, 2), Field(&CpuQuota::cpus, 1), Field(&CpuQuota::cpus, 4)));
  EXPECT_THAT(Effective(), Optional(Field(&CpuQuota::cpus, 1)));
}

TEST(Version1, ReadsQuotaAndPeriod) {
  FileTree tree;
  tree.Write("/proc/self/cgroup", "4:cpuset:/\n3:cpu,cpuacct:/docker/abc");
  tree.Write("/proc/self/mountinfo", std::string(kRootMount) + kV1Mount);
  const std::string folder = "/sys/fs/cgroup/cpu,cpuacct";
  tree.Write(folder + "/cpu.cfs_quota_us", "-1");
  tree.Write(folder + "/cpu.cfs_period_us", "100000");
  tree.Write(folder + "/docker/abc/cpu.cfs_quota_us", "50000");
  tree.Write(folder + "/docker/abc/cpu.cfs_period_us", "100000");
  const std::vector<CpuQuota> quotas = ReadCpuQuotas(tree.root());
  ASSERT_EQ(quotas.size(), 1);
  EXPECT_DOUBLE_EQ(quotas[0].cpus, 0.5);
  EXPECT_EQ(quotas[0].version, 1);

  tree.Write(folder + "/docker/abc/cpu.cfs_period_us", "0");
  EXPECT_THAT(ReadCpuQuotas(tree.root()), IsEmpty());
}

TEST(NoCgroup, HasNoQuota) {
  const FileTree tree;
  EXPECT_THAT(ReadCpuQuotas(tree.root()), IsEmpty());
  EXPECT_EQ(EffectiveCpuQuota({}), std::nullopt);
}

}  // namespace
}  // namespace duetbench
