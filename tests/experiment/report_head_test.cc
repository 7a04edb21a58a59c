#include "duetbench/experiment/report_head.h"

#include <limits>
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

Machine TwoCpus(CpuRelation relation = CpuRelation::kSeparateCores) {
  Machine machine;
  machine.cpus.cpus[0] = 2;
  machine.cpus.cpus[1] = 3;
  machine.cpus.relation = relation;
  machine.clock = "tsc 2.60 GHz, 10 ns steps";
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
  EXPECT_THAT(entries, Contains(Pair("duet_cpus", "2,3")));
  EXPECT_THAT(entries, Contains(Pair("duet_clock", "tsc 2.60 GHz, 10 ns steps")));
  EXPECT_THAT(entries, Contains(Pair("duet_schedule", "auto")));
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
  EXPECT_EQ(Entries(one_cpu, {})["duet_schedule"], "auto");
  ExperimentOptions concurrent;
  concurrent.schedule = Schedule::kDuet;
  EXPECT_EQ(Entries(one_cpu, concurrent)["duet_schedule"], "auto") << "it needs two CPUs";
}

TEST(ContextEntriesTest, HaveTheWarnings) {
  Machine machine = TwoCpus();
  machine.warnings = {"the clock\nis odd", "and more"};
  auto entries = Entries(machine, {});
  EXPECT_EQ(entries["duet_warning_1"], "the clock is odd");
  EXPECT_EQ(entries["duet_warning_2"], "and more");
}

// --- Consoles ---

ExperimentOptions Options() {
  ExperimentOptions options;
  options.seed = 7;
  return options;
}

TEST(HeaderLinesTest, SaysWhereAndHow) {
  Machine machine = TwoCpus();
  EXPECT_THAT(
      HeaderLines(machine, Options()),
      testing::ElementsAre(
          "duetbench: CPUs 2 and 3 (separate cores)",
          "duetbench: 5 to 40 runs, 1 s a benchmark, 99 % intervals of new/old (real time), EQUAL "
          "within 1 %",
          "duetbench: clock tsc 2.60 GHz, 10 ns steps; --duet_seed=7"));
  EXPECT_THAT(HeaderLines(machine, Options(), 0, 1500),
              Contains("duetbench: 1500 duets take 25 min: --duet_budget=5min gives that time to "
                       "those that it decides"));
  EXPECT_EQ(HeaderLines(machine, Options(), 300, 1500).size(), 3u);
}

TEST(HeaderLinesTest, SaysHowTheCpusAreRelated) {
  const struct {
    CpuRelation relation;
    const char* words;
  } kCases[] = {
      {CpuRelation::kSeparateCores, "CPUs 2 and 3 (separate cores)"},
      {CpuRelation::kSeparateNodes, "CPUs 2 and 3 (separate cores on different memory nodes)"},
      {CpuRelation::kUnknown, "CPUs 2 and 3 (relation unknown)"},
      {CpuRelation::kSmtSiblings, "CPUs 2 and 3 (SMT siblings: they share one core)"},
      {CpuRelation::kUnequalCores, "CPUs 2 and 3 (cores of unequal kind)"},
      {CpuRelation::kOneCpu, "CPU 2 (not a duet: one CPU)"},
  };
  for (const auto& [relation, words] : kCases) {
    EXPECT_EQ(HeaderLines(TwoCpus(relation), Options())[0], std::string("duetbench: ") + words);
  }
}

TEST(HeaderLinesTest, InterleavedNamesTheOneCpu) {
  ExperimentOptions options = Options();
  options.schedule = Schedule::kInterleaved;
  EXPECT_EQ(HeaderLines(TwoCpus(), options)[0],
            "duetbench: CPU 2 (not a duet: the variants are interleaved on it)");
}

TEST(HeaderLinesTest, SaysEveryOption) {
  ExperimentOptions options = Options();
  options.runs = 20;
  options.min_time = 0.25;
  options.level = 0.95;
  options.margin = 0.005;
  options.fill = true;
  options.seed = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(HeaderLines(TwoCpus(CpuRelation::kUnknown), options)[1],
            "duetbench: 20 runs, 0.25 s a benchmark, 95 % intervals of new/old (real time), EQUAL "
            "within 0.5 %, filled");
  EXPECT_THAT(HeaderLines(TwoCpus(CpuRelation::kUnknown), options)[2],
              testing::EndsWith("; --duet_seed=18446744073709551615"));
  options.runs = 1;
  EXPECT_EQ(HeaderLines(TwoCpus(CpuRelation::kUnknown), options)[1],
            "duetbench: 1 run, 0.25 s a benchmark: the ratio new/old (real time) without an "
            "interval");
}

TEST(HeaderLinesTest, ABudgetIsForAllDuets) {
  EXPECT_THAT(HeaderLines(TwoCpus(CpuRelation::kUnknown), Options(), /*budget_s=*/300)[1],
              HasSubstr("duetbench: 5 runs or more, 5 min for all duets, 99 % intervals"));
}

TEST(HeaderLinesTest, SaysEveryWarningOnALineOfItsOwn) {
  Machine machine = TwoCpus(CpuRelation::kUnknown);
  machine.warnings = {"the governor is powersave", "a quota of 1.5 CPUs"};
  const std::vector<std::string> lines = HeaderLines(machine, Options());
  ASSERT_THAT(lines, testing::SizeIs(5));
  EXPECT_EQ(lines[3], "duetbench: warning: the governor is powersave");
  EXPECT_EQ(lines[4], "duetbench: warning: a quota of 1.5 CPUs");
}

}  // namespace
}  // namespace duetbench
