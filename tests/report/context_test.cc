#include "duetbench/report/context.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

Machine TwoCpus() {
  Machine machine;
  machine.cpus.cpus[0] = 2;
  machine.cpus.cpus[1] = 5;
  machine.cpus.relation = CpuRelation::kSeparateCores;
  machine.clock = "tsc 2.60 GHz";
  return machine;
}

std::map<std::string, std::string> Entries(const Machine& machine,
                                           const ExperimentOptions& options) {
  std::map<std::string, std::string> entries;
  for (const auto& [key, value] : ContextEntries(machine, options)) {
    EXPECT_THAT(key, StartsWith("duet_"));
    EXPECT_TRUE(entries.emplace(key, value).second) << key << " stands twice";
  }
  return entries;
}

TEST(ContextEntriesTest, SayWhereAndHow) {
  ExperimentOptions options;
  options.seed = 77;
  options.min_time = 0.25;
  options.level = 0.95;
  options.margin = 0.02;
  const auto entries = Entries(TwoCpus(), options);
  EXPECT_THAT(entries, Contains(Pair("duet_cpus", "2,5")));
  EXPECT_THAT(entries, Contains(Pair("duet_clock", "tsc 2.60 GHz")));
  EXPECT_THAT(entries, Contains(Pair("duet_schedule", "duet")));
  EXPECT_THAT(entries, Contains(Pair("duet_runs", "10 to 40")));
  EXPECT_THAT(entries, Contains(Pair("duet_min_time", "0.25")));
  EXPECT_THAT(entries, Contains(Pair("duet_level", "0.95")));
  EXPECT_THAT(entries, Contains(Pair("duet_margin", "0.02")));
  EXPECT_THAT(entries, Contains(Pair("duet_seed", "77")));
  EXPECT_THAT(entries, Contains(Key("duet_version")));
  EXPECT_THAT(entries, Not(Contains(Key("duet_warning_1"))));
}

TEST(ContextEntriesTest, InterleavedHasOneCpu) {
  ExperimentOptions options;
  options.schedule = Schedule::kInterleaved;
  options.runs = 7;
  auto entries = Entries(TwoCpus(), options);
  EXPECT_EQ(entries["duet_schedule"], "interleaved");
  EXPECT_EQ(entries["duet_cpus"], "2");
  EXPECT_EQ(entries["duet_runs"], "7");

  Machine one_cpu = TwoCpus();
  one_cpu.cpus.relation = CpuRelation::kOneCpu;
  EXPECT_EQ(Entries(one_cpu, {})["duet_schedule"], "interleaved") << "whatever was asked for";
}

TEST(ContextEntriesTest, HaveTheWarnings) {
  Machine machine = TwoCpus();
  machine.warnings = {"the clock\nis odd", "and more"};
  auto entries = Entries(machine, {});
  EXPECT_EQ(entries["duet_warning_1"], "the clock is odd");
  EXPECT_EQ(entries["duet_warning_2"], "and more");
}

}  // namespace
}  // namespace duetbench
