#include "duetbench/platform/cpu_pair.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/golden_machines.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

CpuTopology TopologyOf(const Machine& machine) {
  FileTree tree;
  WriteSysfs(machine, &tree);
  return ReadCpuTopology(tree.root() + "/sys");
}

std::vector<int> Cpus(const std::string& list) { return *ParseCpuList(list); }

// The choice in words, for the CPUs `allowed` of a machine.
std::string Chosen(const Machine& machine, const std::string& allowed) {
  const auto choice = ChooseCpuPair(Cpus(allowed), TopologyOf(machine));
  return choice.ok() ? DescribeCpuPair(*choice) : choice.status().ToString();
}

TEST(ChooseCpuPair, TakesTheBestOfWhatIsAllowed) {
  const struct {
    Machine (*machine)();
    const char* allowed;
    const char* chosen;
  } cases[] = {
      // Separate cores, and not CPU 0,
      {SmtDesktop, "0-7", "CPUs 1 and 2 (separate cores)"},
      {SmtOff, "0-3", "CPUs 1 and 2 (separate cores)"},
      {DualSocket, "0-15", "CPUs 1 and 3 (separate cores)"},
      // nor the other thread of its core,
      {SmtDesktop, "1,4,6", "CPUs 1 and 6 (separate cores)"},
      {SmtDesktop, "0,2,4", "CPUs 2 and 4 (separate cores)"},
      // but where there is no choice.
      {TwoVcpus, "0-1", "CPUs 0 and 1 (separate cores)"},
      {SmtDesktop, "0,4,5", "CPUs 4 and 5 (separate cores)"},
      {SmtDesktop, "0,5", "CPUs 0 and 5 (separate cores)"},
      // Fast cores of one kind.
      {HybridLaptop, "0-7", "CPUs 1 and 2 (separate cores)"},
      {HybridLaptop, "2,4-7", "CPUs 4 and 5 (separate cores)"},
      {BigLittle, "0-5", "CPUs 4 and 5 (separate cores)"},
      {BigLittle, "0-4", "CPUs 1 and 2 (separate cores)"},
      // One node.
      {DualSocket, "1,2,10,12", "CPUs 2 and 12 (separate cores)"},
      {DualSocket, "2,5", "CPUs 2 and 5 (separate cores on different memory nodes)"},
      // Separate cores rather than siblings.
      {DualSocket, "2,10,3", "CPUs 2 and 3 (separate cores on different memory nodes)"},
      {SmtDesktop, "2,6", "CPUs 2 and 6 (SMT siblings: they share one core)"},
      // Siblings rather than cores of unequal kind.
      {HybridLaptop, "2-4", "CPUs 2 and 3 (SMT siblings: they share one core)"},
      {HybridLaptop, "2,4", "CPUs 2 and 4 (cores of unequal kind)"},
  };
  for (const auto& [machine, allowed, chosen] : cases) {
    EXPECT_EQ(Chosen(machine(), allowed), chosen) << allowed;
  }
}

TEST(ChooseCpuPair, TakesEqualTopFrequenciesAmongEquals) {
  Machine machine = SmtOff();
  for (MachineCpu& cpu : machine.cpus) cpu.max_mhz = cpu.number < 2 ? 5000 : 5200;
  EXPECT_EQ(Chosen(machine, "1-3"), "CPUs 2 and 3 (separate cores)");
  EXPECT_EQ(Chosen(machine, "1-2"), "CPUs 1 and 2 (separate cores)");
}

TEST(ChooseCpuPair, TellsKindsApartByFrequencyWhereNothingElseDoes) {
  Machine machine = SmtOff();
  for (MachineCpu& cpu : machine.cpus) cpu.max_mhz = cpu.number % 2 == 0 ? 5100 : 3500;
  EXPECT_EQ(Chosen(machine, "1-2"), "CPUs 1 and 2 (cores of unequal kind)");
  EXPECT_EQ(Chosen(machine, "1-3"), "CPUs 1 and 3 (separate cores)");
}

TEST(ChooseCpuPair, LabelsOneCpu) {
  EXPECT_EQ(Chosen(OneCpu(), "0"), "CPU 0 (not a duet: one CPU)");
  EXPECT_EQ(Chosen(SmtDesktop(), "5"), "CPU 5 (not a duet: one CPU)");
  const auto choice = ChooseCpuPair({5}, TopologyOf(SmtDesktop()));
  EXPECT_EQ(choice->relation, CpuRelation::kOneCpu);
  EXPECT_EQ(choice->cpus[0], 5);
  EXPECT_EQ(choice->cpus[1], 5);
}

TEST(ChooseCpuPair, LeavesOutOfflineCpus) {
  EXPECT_EQ(Chosen(OfflineCpus(), "0-3"), "CPUs 1 and 3 (separate cores)");
  EXPECT_EQ(Chosen(OfflineCpus(), "0-1"), "CPU 1 (not a duet: one CPU)");
  EXPECT_THAT(Chosen(OfflineCpus(), "0,2"),
              HasSubstr("none of the CPUs that this process may use (0,2) is online"));
  EXPECT_FALSE(ChooseCpuPair({}, CpuTopology()).ok());
}

TEST(ChooseCpuPair, WorksWithoutAnyTopology) {
  EXPECT_EQ(Chosen(NothingButOnline(), "0-1"), "CPUs 0 and 1 (relation unknown)");
  const auto choice = ChooseCpuPair({0, 1, 2, 3}, CpuTopology());
  EXPECT_EQ(DescribeCpuPair(*choice), "CPUs 1 and 2 (relation unknown)");
}

TEST(ChooseCpuPair, CopesWithVeryManyCpus) {
  CpuTopology topology;
  std::vector<int> allowed;
  for (int number = 0; number < 4096; ++number) {
    Cpu cpu;
    cpu.number = number;
    cpu.siblings = {number};
    topology.cpus.push_back(cpu);
    allowed.push_back(number);
  }
  EXPECT_EQ(DescribeCpuPair(*ChooseCpuPair(allowed, topology)), "CPUs 1 and 2 (separate cores)");
}

TEST(ParseCpuPair, TakesWhatTheUserSays) {
  const CpuTopology topology = TopologyOf(SmtDesktop());
  const auto choice = ParseCpuPair("6,2", Cpus("0-7"), topology);
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(DescribeCpuPair(*choice), "CPUs 2 and 6 (SMT siblings: they share one core)");
  EXPECT_EQ(DescribeCpuPair(*ParseCpuPair("0,1", Cpus("0-7"), topology)),
            "CPUs 0 and 1 (separate cores)");
  EXPECT_EQ(DescribeCpuPair(*ParseCpuPair("0,1", Cpus("0-7"), CpuTopology())),
            "CPUs 0 and 1 (relation unknown)");
}

TEST(ParseCpuPair, TellsWhatIsWrong) {
  const CpuTopology topology = TopologyOf(SmtDesktop());
  const auto error = [&](const std::string& text) {
    const auto choice = ParseCpuPair(text, Cpus("0-3,5"), topology);
    EXPECT_EQ(choice.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(choice.status().message());
  };
  for (const char* text : {"", "2", "1,2,3", "1-2", "a,b", "1,", "1.5,2"}) {
    EXPECT_EQ(error(text),
              absl::StrCat("'", text, "' is not a pair of CPUs; give two numbers, such as 3,5 ",
                           "(this process may use CPUs 0-3,5)"));
  }
  EXPECT_EQ(error("2,2"),
            "'2,2' names CPU 2 twice; a duet needs two different CPUs (this process may use CPUs "
            "0-3,5)");
  EXPECT_EQ(error("1,4"),
            "CPU 4 of '1,4' is not allowed for this process (this process may use CPUs 0-3,5; see "
            "taskset(1), and cpuset in a container)");
  EXPECT_EQ(error("8,1"),
            "CPU 8 of '8,1' does not exist or is offline (this process may use CPUs 0-3,5)");
  const auto one = ParseCpuPair("x", {4}, topology);
  EXPECT_EQ(one.status().message(),
            "'x' is not a pair of CPUs; give two numbers (this process may use CPU 4)");
  EXPECT_EQ(error("-1,1"),
            "CPU -1 of '-1,1' does not exist or is offline (this process may use CPUs 0-3,5)");
}

TEST(FirstCpus, ThoseOfTheDuetAndThenTheOthers) {
  const int duet[2] = {2, 5};
  const std::vector<int> allowed = {0, 2, 4, 5};
  EXPECT_EQ(FirstCpus(duet, allowed, 1), std::vector<int>{2});
  EXPECT_EQ(FirstCpus(duet, allowed, 3), (std::vector<int>{2, 5, 0}));
  EXPECT_EQ(FirstCpus(duet, allowed, 4), (std::vector<int>{2, 5, 0, 4}));
  EXPECT_EQ(FirstCpus(duet, allowed, 9).size(), 4u) << "all that there are";
  EXPECT_EQ(FirstCpus({-1, -1}, allowed, 2), (std::vector<int>{0, 2}));
}

}  // namespace
}  // namespace duetbench
