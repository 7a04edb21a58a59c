#include "duetbench/api/duet_benchmark.h"

#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flags.h"
#include "duetbench/api/register_duet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

DuetBenchmark* Register() {
  return RegisterDuet(
      "DuetBenchmarkTest", [] { return 1; }, [] { return 2; });
}

// The options that the chain sets, without flags.
ExperimentOptions Options(const DuetBenchmark* duet) {
  return MakeExperimentOptions({}, duet->spec().options);
}

TEST(DuetBenchmarkTest, ReportsNameTheFunctions) {
  EXPECT_EQ(Register()->spec().variant_names.new_name, "new") << "lambdas have no names";
  const DuetSpec& spec = Register()->VariantNames("Insert", "InsertHinted")->spec();
  EXPECT_EQ(spec.variant_names.old_name, "Insert");
  EXPECT_EQ(spec.variant_names.new_name, "InsertHinted");
}

TEST(DuetBenchmarkTest, CountersHaveGatesOfTheirOwn) {
  const ExperimentOptions options = Options(
      Register()->MaxRatio(1.05)->MaxCounterRatio("ALLOCATIONS", 1)->MaxCounterRatio("CYCLES", 2));
  EXPECT_THAT(options.gates,
              ElementsAre(GateSpec::MaxRatio(1.05), GateSpec::MaxRatio(1, {"ALLOCATIONS"}),
                          GateSpec::MaxRatio(2, {"CYCLES"})));
  EXPECT_DEATH(Register()->MaxCounterRatio("ALLOCATIONS", 0), "a positive ratio");
  EXPECT_DEATH(Register()->MaxCounterRatio("", 1), "the name of a counter");
}

TEST(DuetBenchmarkTest, AGateOfTheChainGoesOverThatOfTheFlag) {
  ExperimentOptions flags;
  flags.gates = {GateSpec::MaxRatio(5, {"ALLOCATIONS"}),
                 GateSpec::MaxRatio(1.02, {"INSTRUCTIONS"})};
  EXPECT_THAT(
      MakeExperimentOptions(flags, Register()->MaxCounterRatio("ALLOCATIONS", 1)->spec().options)
          .gates,
      ElementsAre(GateSpec::MaxRatio(1, {"ALLOCATIONS"}),
                  GateSpec::MaxRatio(1.02, {"INSTRUCTIONS"})));
}

TEST(DuetBenchmarkTest, QuantilesThatHaveGatesAreMeasured) {
  const ExperimentOptions options =
      Options(Register()->Quantiles({0.5, 0.9})->MaxQuantileRatio(0.99, 1.1));
  EXPECT_EQ(options.quantiles, (std::vector<double>{0.5, 0.9, 0.99}));
  EXPECT_THAT(options.gates, ElementsAre(GateSpec::MaxRatio(1.1, {"", 0.99})));
  EXPECT_EQ(Options(Register()->Quantiles()).quantiles.size(), 4u);
  EXPECT_DEATH(Register()->Quantiles({0.5, 1}), "numbers between 0 and 1");
  EXPECT_DEATH(Register()->MaxQuantileRatio(0.99, 0), "a positive ratio");
  EXPECT_DEATH(Register()->MaxQuantileRatio(99, 1.1), "a number between 0 and 1");
}

TEST(DuetBenchmarkTest, TheFileSaysWhetherItIsOptimized) {
#ifdef __OPTIMIZE__
  EXPECT_TRUE(Register()->spec().location.is_optimized);
#else
  EXPECT_FALSE(Register()->spec().location.is_optimized);
#endif
}

// A mistake in the program ends it in every build, with a message that names the benchmark.
TEST(DuetBenchmarkDeathTest, ImpossibleOptionsStopTheProgram) {
  EXPECT_DEATH(Register()->Runs(0),
               "duetbench: DuetBenchmarkTest: Runs.0. should be a whole number from 1");
  EXPECT_DEATH(Register()->Level(0),
               "DuetBenchmarkTest: Level.0. should be a number between 0 and 1");
  EXPECT_DEATH(Register()->Level(1), "Level.1. should be a number between 0 and 1");
  EXPECT_DEATH(Register()->Level(99), "Level.99. should be a number between 0 and 1");
  EXPECT_DEATH(Register()->Margin(-0.01), "Margin.-0.01. should be a number from 0 to below 1");
  EXPECT_DEATH(Register()->Margin(1), "Margin.1. should be a number from 0 to below 1");
  EXPECT_DEATH(Register()->MinTime(0), "MinTime.0. should be a positive number of seconds");
  EXPECT_DEATH(Register()->MaxRatio(0), "duet_benchmark_test.cc:[0-9]+: duetbench: ");
}

TEST(DuetBenchmarkDeathTest, ImpossibleGatesStopTheProgram) {
  EXPECT_DEATH(Register()->MaxRatio(0), "MaxRatio.0. should be a positive ratio");
  EXPECT_DEATH(Register()->MinSpeedup(-1), "MinSpeedup.-1. should be a positive factor");
  EXPECT_DEATH(Register()->Equivalent(1), "Equivalent.1. should be a number between 0 and 1");
  EXPECT_DEATH(Register()->MaxRatio(1.05)->Equivalent(0.02), "one gate, but a second one");
}

TEST(DuetBenchmark, HasTheGateOfItsChain) {
  EXPECT_TRUE(Options(Register()).gates.empty());
  EXPECT_EQ(Options(Register()->MaxRatio(1.05)).gates[0].hi(), 1.05);
  EXPECT_DOUBLE_EQ(Options(Register()->MinSpeedup(1.25)).gates[0].hi(), 0.8);
  EXPECT_DOUBLE_EQ(Options(Register()->Equivalent(0.25)).gates[0].lo(), 0.8);
}

TEST(DuetBenchmarkDeathTest, ImpossibleChainsOfGoogleBenchmarkStopTheProgramToo) {
  EXPECT_DEATH(Register()->MinWarmUpTime(-1),
               "MinWarmUpTime.-1. should be a number of seconds from 0");
  EXPECT_DEATH(Register()->Setup(nullptr), "Setup.callback. needs a callback");
  EXPECT_DEATH(Register()->Teardown(nullptr), "Teardown.callback. needs a callback");
  EXPECT_DEATH(Register()->Iterations(0), "Iterations.0. should be a whole number of at least 1");
  EXPECT_DEATH(Register()->Iterations(2)->MinTime(1), "exclude each other");
  EXPECT_DEATH(Register()->MinTime(1)->Iterations(2), "exclude each other");
  EXPECT_DEATH(Register()->Iterations(2)->MinWarmUpTime(1), "exclude each other");
  EXPECT_DEATH(Register()->MinWarmUpTime(1)->Iterations(2), "exclude each other");
  EXPECT_DEATH(Register()->UseRealTime()->UseManualTime(), "exclude each other");
  EXPECT_DEATH(Register()->UseManualTime()->UseRealTime(), "exclude each other");
}

TEST(DuetBenchmark, KnowsWhereItWasRegistered) {
  const int line = __LINE__ + 1;
  const DuetBenchmark* const duet = RegisterDuet(
      "located", [] { return 1; }, [] { return 2; });
  EXPECT_STREQ(duet->spec().location.file, __FILE__);
  EXPECT_GE(duet->spec().location.line, line);
  EXPECT_LE(duet->spec().location.line, line + 2) << "clang-format may break the call";
}

double Statistic(const std::vector<double>& values) { return values.front(); }
double Order(benchmark::IterationCount n) { return static_cast<double>(n); }
void OnState(const benchmark::State&) {}
void OnBase(internal::BenchmarkBase*) {}
template <class Benchmark>
void OnAny(Benchmark*) {}

// Each chain method between methods of the duet's own: that it compiles is the test (what it does
// is tests/integration/duets/chains_test.cc).
template <class Chain>
void ExpectChains(const Chain& chain) {
  DuetBenchmark* const duet = Register();
  DuetBenchmark* const before =
      chain(duet)->Runs(2)->Level(0.9)->Margin(0.02)->Fill()->CheckEqual()->Schedule(
          Schedule::kInterleaved);
  DuetBenchmark* const after =
      chain(Register()->Runs(2)->Level(0.9)->Margin(0.02)->Fill()->CheckEqual()->Schedule(
          Schedule::kInterleaved));
  EXPECT_EQ(before, duet);
  for (const DuetBenchmark* benchmark : {before, after}) {
    const ExperimentOptions options = Options(benchmark);
    EXPECT_EQ(options.runs, 2);
    EXPECT_EQ(options.level, 0.9);
    EXPECT_EQ(options.margin, 0.02);
    EXPECT_TRUE(options.fill);
    EXPECT_TRUE(options.check_equal);
    EXPECT_EQ(options.schedule, Schedule::kInterleaved);
  }
}

TEST(DuetBenchmark, MethodsOfGoogleBenchmarkMixWithItsOwnInAnyOrder) {
#define EXPECT_CHAINS(...) \
  ExpectChains([](DuetBenchmark* duet) -> DuetBenchmark* { return duet->__VA_ARGS__; })
  EXPECT_CHAINS(Name("renamed"));
  EXPECT_CHAINS(Arg(1));
  EXPECT_CHAINS(Args({1, 2}));
  EXPECT_CHAINS(ArgPair(1, 2));
  EXPECT_CHAINS(Range(1, 8));
  EXPECT_CHAINS(RangePair(1, 8, 1, 8));
  EXPECT_CHAINS(Ranges({{1, 8}, {1, 8}}));
  EXPECT_CHAINS(DenseRange(1, 3));
  EXPECT_CHAINS(DenseRange(1, 3, 2));
  EXPECT_CHAINS(ArgsProduct({{1, 2}, {3, 4}}));
  EXPECT_CHAINS(ArgsProduct({benchmark::CreateRange(8, 128, 2), {1}}));
  EXPECT_CHAINS(RangeMultiplier(2));
  EXPECT_CHAINS(ArgName("n"));
  EXPECT_CHAINS(ArgNames({"n", "m"}));
  EXPECT_CHAINS(Apply(OnBase));
  EXPECT_CHAINS(Apply(OnAny));
  EXPECT_CHAINS(Apply([](auto* benchmark) { benchmark->Arg(1); }));
  EXPECT_CHAINS(Setup(OnState)->Teardown(OnState));
  EXPECT_CHAINS(Setup([](const benchmark::State&) {})->Teardown([](const benchmark::State&) {}));
  EXPECT_CHAINS(MinTime(0.5));
  EXPECT_CHAINS(MinWarmUpTime(0.5));
  EXPECT_CHAINS(Iterations(3));
  EXPECT_CHAINS(Repetitions(3));
  EXPECT_CHAINS(Unit(benchmark::kMillisecond));
  EXPECT_CHAINS(ReportAggregatesOnly());
  EXPECT_CHAINS(DisplayAggregatesOnly());
  EXPECT_CHAINS(Complexity());
  EXPECT_CHAINS(Complexity(benchmark::oNLogN));
  EXPECT_CHAINS(Complexity(Order));
  EXPECT_CHAINS(ComputeStatistics("first", Statistic));
  EXPECT_CHAINS(ComputeStatistics("first", Statistic, benchmark::kPercentage));
  EXPECT_CHAINS(UseRealTime());
  EXPECT_CHAINS(UseManualTime());
  EXPECT_CHAINS(MeasureProcessCPUTime());
#undef EXPECT_CHAINS
}

TEST(DuetBenchmark, TheChainSetsTheOptionsOfTheExperiment) {
  EXPECT_EQ(Options(Register()->MinTime(0.5)).min_time, 0.5);
  EXPECT_EQ(Options(Register()->MinWarmUpTime(0.5)).warm_up, 0.5);
  EXPECT_EQ(Options(Register()->Iterations(5)).fixed_iterations, 5u);
  EXPECT_TRUE(Options(Register()->UseManualTime()).manual_time);
  EXPECT_FALSE(Options(Register()->UseRealTime()).manual_time);
}

// --- Arguments: as Google Benchmark makes them ---

using Arguments = std::vector<std::vector<int64_t>>;

TEST(DuetBenchmark, ArgumentsAreThoseOfGoogleBenchmark) {
  EXPECT_EQ(Register()->spec().arguments, Arguments());
  EXPECT_EQ(Register()->Arg(3)->Arg(1)->spec().arguments, (Arguments{{3}, {1}}));
  EXPECT_EQ(Register()->Range(8, 100)->spec().arguments, (Arguments{{8}, {64}, {100}}));
  EXPECT_EQ(Register()->RangeMultiplier(2)->Range(8, 20)->spec().arguments,
            (Arguments{{8}, {16}, {20}}));
  EXPECT_EQ(Register()->DenseRange(1, 6, 2)->spec().arguments, (Arguments{{1}, {3}, {5}}));
  EXPECT_EQ(Register()->ArgsProduct({{1, 2}, {7, 8}})->spec().arguments,
            (Arguments{{1, 7}, {2, 7}, {1, 8}, {2, 8}}));
  EXPECT_EQ(Register()->RangePair(1, 2, 8, 8)->spec().arguments, (Arguments{{1, 8}, {2, 8}}));
}

TEST(DuetBenchmarkDeathTest, ListsOfArgumentsHaveOneLength) {
  EXPECT_DEATH(Register()->Arg(1)->Args({1, 2}), "Args: the benchmark has 1 arguments elsewhere");
  EXPECT_DEATH(Register()->Arg(1)->ArgNames({"a", "b"}), "ArgNames: the benchmark has 1");
  EXPECT_DEATH(Register()->Range(2, 1), "start <= limit");
  EXPECT_DEATH(Register()->Ranges({}), "needs a range");
  for (const Arguments& lists : {Arguments{}, Arguments{{1}, {}}}) {
    EXPECT_DEATH(Register()->ArgsProduct(lists), "needs lists, none of them empty");
  }
  EXPECT_DEATH(Register()->DenseRange(1, 2, 0), "step >= 1");
  EXPECT_DEATH(Register()->RangeMultiplier(1), "needs n > 1");
}

// --- Apply with the type of Google Benchmark ---

TEST(DuetBenchmark, ApplyCopiesWhatAFunctionForGoogleBenchmarkSets) {
  const DuetSpec& spec = Register()
                             ->RangeMultiplier(4)
                             ->Apply([](internal::BenchmarkBase* b) {
                               b->Range(1, 8)->ArgName("n")->Unit(benchmark::kMillisecond);
                               b->MinTime(0.25)->Repetitions(3)->UseRealTime();
                               b->DisplayAggregatesOnly(true)->Complexity(benchmark::oN);
                               b->ComputeStatistics("first", Statistic);
                             })
                             ->Runs(2)
                             ->spec();
  EXPECT_EQ(spec.arguments, (Arguments{{1}, {4}, {8}}));
  EXPECT_EQ(spec.argument_names, std::vector<std::string>{"n"});
  EXPECT_EQ(spec.unit, benchmark::kMillisecond);
  EXPECT_EQ(spec.options.min_time, 0.25);
  EXPECT_EQ(spec.options.runs, 2);
  EXPECT_EQ(spec.options.repetitions, 3);
  EXPECT_TRUE(spec.real_time);
  EXPECT_FALSE(spec.options.manual_time);
  EXPECT_EQ(spec.name, "DuetBenchmarkTest");
}

TEST(DuetBenchmark, ApplyKeepsWhatAFunctionForGoogleBenchmarkLeavesAlone) {
  const DuetSpec& spec =
      Register()->Arg(7)->Unit(benchmark::kSecond)->Iterations(5)->Apply(OnBase)->spec();
  EXPECT_EQ(spec.arguments, (Arguments{{7}}));
  EXPECT_EQ(spec.unit, benchmark::kSecond);
  EXPECT_EQ(spec.options.fixed_iterations, 5);
}

TEST(DuetBenchmark, ThreadsFromSuchAFunctionAreAnErrorOfTheDuet) {
  const DuetSpec& spec =
      Register()->Apply([](internal::BenchmarkBase* b) { b->Threads(2); })->spec();
  EXPECT_EQ(spec.error, "a duet has one thread for each variant: remove Threads from it");
}

TEST(DuetBenchmark, ComplexityWarnsThatItHasNoEffect) {
  DuetBenchmark* const duet = RegisterDuet(
      "no complexity", [] {}, [] {});
  testing::internal::CaptureStderr();
  EXPECT_EQ(duet->Complexity(), duet);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(": no complexity: Complexity() of a duet "),
            std::string::npos);
}

}  // namespace
}  // namespace duetbench
