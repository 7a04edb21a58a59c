#include "duetbench/google_benchmark/duet_instance.h"

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(NameFilterTest, SelectsNames) {
  const struct {
    const char* filter;
    const char* name;
    bool selects;
  } cases[] = {
      // It searches the whole name.
      {"Map/64", "BM_Map/64/real_time", true},
      {"^Map/64", "BM_Map/64/real_time", false},
      {"/(64|128)$", "BM_Map/128", true},
      {"/(64|128)$", "BM_Map/12", false},
      {"a\\.b", "a.b", true},
      {"a\\.b", "aXb", false},
      // Nothing and `all` select everything; only the whole word is special.
      {"", "anything", true},
      {"all", "anything", true},
      {".", "anything", true},
      {"all.", "allocate", true},
      {"all.", "anything", false},
      // A leading minus negates; the empty expression is found everywhere.
      {"-Map", "BM_Map/64", false},
      {"-Map", "BM_Set/64", true},
      {"-", "anything", false},
      // Disabled benchmarks are never selected.
      {"", "DISABLED_Map", false},
      {"-Set", "DISABLED_Map", false},
      {"", "Map_DISABLED_", true},
  };
  for (const auto& [filter, name, selects] : cases) {
    const absl::StatusOr<NameFilter> parsed = NameFilter::Parse(filter);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->Selects(name), selects) << filter << " " << name;
  }
}

TEST(NameFilterTest, SaysWhatIsNoExpression) {
  const absl::Status status = NameFilter::Parse("a(b").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              ::testing::StartsWith("--benchmark_filter: 'a(b' is no regular expression: "));
  EXPECT_FALSE(NameFilter::Parse("-[").ok());
}

std::vector<DuetInstance> Select(const std::vector<const DuetSpec*>& specs,
                                 const std::string& filter = "") {
  return SelectDuets(specs, *NameFilter::Parse(filter));
}

std::vector<std::string> InstanceNames(const std::vector<DuetInstance>& instances) {
  std::vector<std::string> names;
  for (const DuetInstance& instance : instances) names.push_back(instance.name.str());
  return names;
}

DuetSpec Spec(const std::string& name, std::vector<std::vector<int64_t>> arguments = {}) {
  DuetSpec spec;
  spec.name = name;
  spec.arguments = std::move(arguments);
  return spec;
}

// --- Names ---

TEST(DuetInstanceTest, WithoutArgumentsThereIsOne) {
  const DuetSpec spec = Spec("BM_A_vs_BM_B");
  const std::vector<DuetInstance> instances = Select({&spec});
  ASSERT_THAT(instances, SizeIs(1));
  EXPECT_EQ(instances[0].name.str(), "BM_A_vs_BM_B");
  EXPECT_EQ(instances[0].spec, &spec);
  EXPECT_THAT(instances[0].ranges, SizeIs(0));
}

TEST(DuetInstanceTest, EachListOfArgumentsIsAnInstance) {
  DuetSpec spec = Spec("a", {{1, 8}, {-2, 8}});
  EXPECT_THAT(InstanceNames(Select({&spec})), ElementsAre("a/1/8", "a/-2/8"));
  EXPECT_THAT(Select({&spec})[1].ranges, ElementsAre(-2, 8));
  spec.argument_names = {"n"};
  EXPECT_THAT(InstanceNames(Select({&spec})), ElementsAre("a/n:1/8", "a/n:-2/8"));
  spec.argument_names = {"", "m"};
  EXPECT_THAT(InstanceNames(Select({&spec})), ElementsAre("a/1/m:8", "a/-2/m:8"));
}

TEST(DuetInstanceTest, TheNameSaysWhatTheChainSet) {
  DuetSpec spec = Spec("a", {{8}});
  spec.options.min_time = 0.5;
  spec.options.warm_up = 0.25;
  spec.options.repetitions = 3;
  spec.process_cpu_time = true;
  spec.real_time = true;
  EXPECT_THAT(InstanceNames(Select({&spec})),
              ElementsAre("a/8/min_time:0.500/min_warmup_time:0.250/repeats:3/process_time/"
                          "real_time"));
  DuetSpec fixed = Spec("b");
  fixed.options.fixed_iterations = 1000;
  fixed.options.manual_time = true;
  fixed.options.warm_up = 0;
  EXPECT_THAT(InstanceNames(Select({&fixed})), ElementsAre("b/iterations:1000/manual_time"));
}

// Google Benchmark composes the same name for the same chain.
TEST(DuetInstanceTest, NamesAreThoseOfGoogleBenchmark) {
  class Names : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
      for (const Run& run : runs) names.push_back(run.benchmark_name());
    }
    std::vector<std::string> names;
  } reporter;
  benchmark::RegisterBenchmark(
      "names", [](benchmark::State& state) { state.SkipWithError("only the name matters"); })
      ->ArgNames({"n", ""})
      ->Args({8, 9})
      ->Args({-8, 9})
      ->MinTime(0.0125)
      ->MinWarmUpTime(0.5)
      ->MeasureProcessCPUTime()
      ->UseManualTime();
  benchmark::RunSpecifiedBenchmarks(&reporter, "^names/");
  benchmark::ClearRegisteredBenchmarks();
  DuetSpec spec = Spec("names", {{8, 9}, {-8, 9}});
  spec.argument_names = {"n", ""};
  spec.options.min_time = 0.0125;
  spec.options.warm_up = 0.5;
  spec.process_cpu_time = true;
  spec.options.manual_time = true;
  EXPECT_THAT(reporter.names, SizeIs(2));
  EXPECT_EQ(InstanceNames(Select({&spec})), reporter.names);
}

// --- Selection, numbers ---

TEST(DuetInstanceTest, FamiliesAndInstancesThatAreNotSelectedHaveNoNumbers) {
  const DuetSpec a = Spec("a", {{1}, {2}, {3}});
  const DuetSpec b = Spec("b", {{1}});
  const DuetSpec c = Spec("c", {{1}, {2}, {3}});
  const std::vector<DuetInstance> instances = Select({&a, &b, &c}, "/[23]");
  ASSERT_THAT(InstanceNames(instances), ElementsAre("a/2", "a/3", "c/2", "c/3"));
  EXPECT_EQ(instances[0].family, 0);
  EXPECT_EQ(instances[0].instance, 0);
  EXPECT_EQ(instances[1].instance, 1);
  EXPECT_EQ(instances[2].family, 1);
  EXPECT_EQ(instances[3].instance, 1);
}

std::string Hint(const std::string& filter) {
  DuetSpec spec;
  spec.name = "BM_A_vs_BM_B";
  spec.arguments = {{8}, {64}};
  return HintForRowName(filter, {&spec});
}

TEST(HintForRowName, NamesTheDuetOfTheRow) {
  const char* const hint =
      "; a duet is selected as a whole: --benchmark_filter='^BM_A_vs_BM_B/64$'";
  EXPECT_EQ(Hint("BM_A_vs_BM_B/64/new"), hint);
  EXPECT_EQ(Hint("^BM_A_vs_BM_B/64/old$"), hint);
}

TEST(HintForRowName, NamesTheRowsOfAGroup) {
  DuetSpec spec;
  spec.name = "Find/64/base_vs_head";
  EXPECT_EQ(HintForRowName("Find/64$", {&spec}),
            "; the rows of a group are Find/64/BASE_vs_VARIANT: --benchmark_filter='^Find/64/'");
  EXPECT_EQ(HintForRowName("Find/63$", {&spec}), "");
}

TEST(HintForRowName, SuggestsNothingThatSelectsNothing) {
  EXPECT_EQ(Hint("BM_A_vs_BM_B/63/new"), "");
  EXPECT_EQ(Hint("BM_A_vs_BM_B/64"), "");
  EXPECT_EQ(Hint("(/new"), "");
  EXPECT_EQ(Hint(""), "");
}

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

DuetSpec Spec(const char* name, const char* file, int line) {
  DuetSpec spec;
  spec.name = name;
  spec.location = {file, line};
  return spec;
}

TEST(CheckDistinctNames, TwoDuetsOfOneNameAreRefusedWithBothPlaces) {
  const DuetSpec first = Spec("A_vs_B", "a.cc", 12);
  const DuetSpec second = Spec("A_vs_B", "b.cc", 34);
  const absl::Status status = CheckDistinctNames({&first, &second}, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()),
            "two duets have a row 'A_vs_B', at a.cc:12 and at b.cc:34: their results could not "
            "be told apart; give one of them another name with ->Name(\"…\"), or as the first "
            "argument of RegisterDuet");
  const DuetSpec disabled = Spec("DISABLED_A", "a.cc", 1);
  EXPECT_TRUE(CheckDistinctNames({&first, &disabled, &disabled}, {}).ok());
}

TEST(CheckDistinctNames, ArgumentsArePartOfTheName) {
  DuetSpec first = Spec("A", "a.cc", 1);
  DuetSpec second = Spec("A", "a.cc", 2);
  first.arguments = {{1}, {2}};
  second.arguments = {{3}};
  EXPECT_TRUE(CheckDistinctNames({&first, &second}, {}).ok());
  second.arguments = {{2}};
  EXPECT_THAT(std::string(CheckDistinctNames({&first, &second}, {}).message()),
              StartsWith("two duets have a row 'A/2', at a.cc:1 and at a.cc:2: "));
  first.arguments = {{1}, {1}};
  EXPECT_EQ(std::string(CheckDistinctNames({&first}, {}).message()),
            "the duet 'A/1' at a.cc:1 has the same arguments twice; remove one");
}

TEST(CheckDistinctNames, ADuetHasARowForEachVariant) {
  const DuetSpec duet = Spec("A", "a.cc", 1);
  for (const char* const name : {"A/old", "A/new"}) {
    const DuetSpec other = Spec(name, "b.cc", 2);
    EXPECT_THAT(CheckDistinctNames({&other, &duet}, {}).message(),
                AllOf(HasSubstr("b.cc:2"), HasSubstr("a.cc:1")));
    EXPECT_THAT(CheckDistinctNames({&duet}, {name}).message(), HasSubstr("an ordinary benchmark"));
  }
  const DuetSpec other = Spec("A/older", "b.cc", 2);
  EXPECT_TRUE(CheckDistinctNames({&other, &duet}, {"B", "B", "A/oldest"}).ok());
}

TEST(CheckDistinctNames, AnOrdinaryBenchmarkMayNotHaveTheNameOfADuet) {
  const DuetSpec duet = Spec("A", "a.cc", 1);
  EXPECT_EQ(std::string(CheckDistinctNames({&duet}, {"B", "A"}).message()),
            "an ordinary benchmark has the name of a row of the duet at a.cc:1, 'A': their results "
            "could not be told apart; give one of them another name with ->Name(\"…\"), or as the "
            "first argument of RegisterDuet");
}

}  // namespace

}  // namespace duetbench
