#include <optional>
#include <string>

#include "duetbench/platform/cpu_pair.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/golden_machines.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

CpuTopology Read(const FileTree& tree) { return ReadCpuTopology(tree.root() + "/sys"); }

CpuTopology TopologyOf(const Machine& machine) {
  FileTree tree;
  WriteSysfs(machine, &tree);
  return Read(tree);
}

TEST(ReadCpuTopology, ReadsADesktopWithSmt) {
  const CpuTopology topology = TopologyOf(SmtDesktop());
  ASSERT_EQ(topology.cpus.size(), 8);
  const Cpu* const cpu = topology.Find(5);
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->number, 5);
  EXPECT_THAT(cpu->siblings, ElementsAre(1, 5));
  EXPECT_THAT(cpu->node, Optional(0));
  EXPECT_EQ(cpu->capacity, std::nullopt);
  EXPECT_EQ(cpu->max_frequency_khz, std::nullopt);
}

TEST(ReadCpuTopology, ReadsFrequenciesAndCapacities) {
  const CpuTopology topology = TopologyOf(HybridLaptop());
  EXPECT_THAT(topology.Find(3)->max_frequency_khz, Optional(4'900'000));
  EXPECT_THAT(topology.Find(4)->max_frequency_khz, Optional(3'500'000));
  EXPECT_THAT(TopologyOf(BigLittle()).Find(0)->capacity, Optional(446));
}

TEST(ReadCpuTopology, ReadsNodes) {
  const CpuTopology topology = TopologyOf(DualSocket());
  EXPECT_THAT(topology.Find(6)->node, Optional(0));
  EXPECT_THAT(topology.Find(9)->node, Optional(1));
}

TEST(ReadCpuTopology, LeavesOutOfflineCpus) {
  const CpuTopology topology = TopologyOf(OfflineCpus());
  EXPECT_THAT(topology.cpus, ElementsAre(Field(&Cpu::number, 1), Field(&Cpu::number, 3)));
  EXPECT_EQ(topology.Find(0), nullptr);
  EXPECT_EQ(topology.Find(2), nullptr);
  EXPECT_EQ(topology.Find(4), nullptr);
}

TEST(ReadCpuTopology, LeavesUnknownWhatIsMissing) {
  const CpuTopology topology = TopologyOf(NothingButOnline());
  ASSERT_EQ(topology.cpus.size(), 2);
  const Cpu& cpu = topology.cpus[1];
  EXPECT_EQ(cpu.node, std::nullopt);
  EXPECT_THAT(cpu.siblings, IsEmpty());
  EXPECT_THAT(ReadCpuTopology("/no/such/folder").cpus, IsEmpty());
}

TEST(ReadCpuTopology, LeavesUnknownWhatIsDamaged) {
  FileTree tree;
  WriteSysfs(TwoVcpus(), &tree);
  const std::string cpu = "/sys/devices/system/cpu/cpu1";
  tree.Write(cpu + "/cpu_capacity", "many");
  tree.Write(cpu + "/topology/thread_siblings_list", "0-");
  const CpuTopology topology = Read(tree);
  EXPECT_EQ(topology.Find(1)->capacity, std::nullopt);
  EXPECT_THAT(topology.Find(1)->siblings, IsEmpty());
}

TEST(ReadCpuTopology, ReadsThisMachine) {
  // Whatever machine it is: with the list of online CPUs present, no CPU is left out or twice.
  const CpuTopology topology = ReadCpuTopology("/sys");
  for (size_t i = 0; i < topology.cpus.size(); ++i) {
    EXPECT_EQ(topology.Find(topology.cpus[i].number), &topology.cpus[i]);
  }
}

TEST(ShareCore, GoesBySiblings) {
  CpuTopology topology = TopologyOf(DualSocket());
  EXPECT_THAT(ShareCore(topology, 1, 9), Optional(true));
  EXPECT_THAT(ShareCore(topology, 0, 1), Optional(false));
  for (Cpu& cpu : topology.cpus) cpu.siblings.clear();
  EXPECT_EQ(ShareCore(topology, 1, 9), std::nullopt);
  EXPECT_EQ(ShareCore(topology, 1, 99), std::nullopt);
}

TEST(ParseCpuList, ReadsNumbersAndRanges) {
  EXPECT_THAT(*ParseCpuList("0-3,8,10-11\n"), ElementsAre(0, 1, 2, 3, 8, 10, 11));
  EXPECT_THAT(*ParseCpuList("5"), ElementsAre(5));
  EXPECT_THAT(*ParseCpuList("3,1,1-2"), ElementsAre(1, 2, 3));
  EXPECT_THAT(*ParseCpuList(" \n"), IsEmpty());
}

TEST(ParseCpuList, NamesThePartThatIsWrong) {
  for (const char* bad : {"a", "1-", "-1", "3-1", "1,,2", "0-99999999"}) {
    const auto cpus = ParseCpuList(bad);
    ASSERT_FALSE(cpus.ok()) << bad;
    EXPECT_THAT(cpus.status().message(), HasSubstr("is not a CPU number or range"));
  }
}

TEST(FormatCpuList, IsTheInverse) {
  for (const char* text : {"", "0", "0-3,8,10-11", "1,3,5"}) {
    EXPECT_EQ(FormatCpuList(*ParseCpuList(text)), text);
  }
}

}  // namespace
}  // namespace duetbench
