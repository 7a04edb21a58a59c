#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/platform/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<int> Allowed() { return AllowedCpus().value(); }

TEST(InspectMachine, DescribesThisMachine) {
  const absl::StatusOr<Machine> machine = InspectMachine("");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const std::vector<int> allowed = Allowed();
  EXPECT_THAT(allowed, Contains(machine->cpus.cpus[0]));
  EXPECT_THAT(allowed, Contains(machine->cpus.cpus[1]));
  if (allowed.size() > 1) {
    EXPECT_NE(machine->cpus.cpus[0], machine->cpus.cpus[1]);
  }
  EXPECT_GT(machine->ns_per_tick, 0.01);
  EXPECT_LT(machine->ns_per_tick, 1000);
  EXPECT_GT(machine->clock_step_ns, 0);
  EXPECT_GE(machine->clock_overhead_ns, 0);
  EXPECT_THAT(machine->clock, HasSubstr("ns steps"));
  for (const std::string& warning : machine->warnings) EXPECT_FALSE(warning.empty());
}

TEST(InspectMachine, TakesTheCpusItIsTold) {
  const std::vector<int> allowed = Allowed();
  if (allowed.size() < 2) GTEST_SKIP() << "needs two CPUs";
  const absl::StatusOr<Machine> machine = InspectMachine(absl::StrCat(allowed[1], ",", allowed[0]));
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(machine->cpus.cpus[0], allowed[0]);
  EXPECT_EQ(machine->cpus.cpus[1], allowed[1]);
}

TEST(InspectMachine, RefusesCpusThatCannotBeUsed) {
  const int first = Allowed()[0];
  for (const std::string& cpus :
       {std::string("x"), std::string(","), absl::StrCat(first), absl::StrCat(first, ",", first),
        absl::StrCat(first, ",1000000"), absl::StrCat(first, ",-1"), std::string("0,1,2"),
        std::string(" ")}) {
    const absl::StatusOr<Machine> machine = InspectMachine(cpus);
    ASSERT_FALSE(machine.ok()) << cpus;
    EXPECT_EQ(machine.status().code(), absl::StatusCode::kInvalidArgument) << cpus;
    EXPECT_THAT(std::string(machine.status().message()), StartsWith("--duet_cpus: ")) << cpus;
  }
}

// The affinity is that of the thread that asks.
TEST(InspectMachine, WithOneAllowedCpuThereIsNoDuet) {
  const int only = Allowed().back();
  std::thread([only] {
    ASSERT_TRUE(PinThisThread(only).ok());
    const absl::StatusOr<Machine> machine = InspectMachine("");
    ASSERT_TRUE(machine.ok()) << machine.status();
    EXPECT_EQ(machine->cpus.cpus[0], only);
    EXPECT_EQ(machine->cpus.cpus[1], only);
    EXPECT_EQ(machine->cpus.relation, CpuRelation::kOneCpu);
    EXPECT_THAT(DescribeCpuPair(machine->cpus), HasSubstr("not a duet: one CPU"));
  }).join();
}

TEST(InspectMachine, RefusesCpusThatAreNotAllowed) {
  const std::vector<int> allowed = Allowed();
  if (allowed.size() < 2) GTEST_SKIP() << "needs two CPUs";
  std::thread([&allowed] {
    ASSERT_TRUE(PinThisThread(allowed[0]).ok());
    const absl::StatusOr<Machine> machine =
        InspectMachine(absl::StrCat(allowed[0], ",", allowed[1]));
    EXPECT_EQ(machine.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(machine.status().message()), StartsWith("--duet_cpus: "));
  }).join();
}

// Looking at the machine leaves no trace on the calling thread.
TEST(InspectMachine, LeavesTheAffinityAsItWas) {
  const std::vector<int> before = Allowed();
  ASSERT_TRUE(InspectMachine("").ok());
  EXPECT_EQ(Allowed(), before);
}

}  // namespace
}  // namespace duetbench
