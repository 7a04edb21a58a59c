#include "duetbench/registry/duet_benchmark.h"

#include <vector>

#include "duetbench/registry/register_duet.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

DuetBenchmark* Register() {
  return RegisterDuet(
      "DuetBenchmarkTest", [] { return 1; }, [] { return 2; });
}

// A mistake in the program ends it in every build, with a message that names the benchmark.
TEST(DuetBenchmarkDeathTest, ImpossibleOptionsStopTheProgram) {
  EXPECT_DEATH(Register()->Runs(0), "duetbench: DuetBenchmarkTest: Runs.n. needs n >= 1");
  EXPECT_DEATH(Register()->Level(0), "DuetBenchmarkTest: Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Level(1), "Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Level(99), "Level.p. needs 0 < p < 1");
  EXPECT_DEATH(Register()->Margin(-0.01), "Margin.d. needs 0 <= d < 1");
  EXPECT_DEATH(Register()->Margin(1), "Margin.d. needs 0 <= d < 1");
  EXPECT_DEATH(Register()->MinTime(0), "MinTime.t. needs t > 0 seconds");
}

TEST(DuetBenchmarkDeathTest, ImpossibleGatesStopTheProgram) {
  EXPECT_DEATH(Register()->MaxRatio(0), "MaxRatio.r. needs r > 0");
  EXPECT_DEATH(Register()->MinSpeedup(-1), "MinSpeedup.f. needs f > 0");
  EXPECT_DEATH(Register()->Equivalent(1), "Equivalent.d. needs 0 < d < 1");
  EXPECT_DEATH(Register()->MaxRatio(1.05)->Equivalent(0.02), "one gate, but a second one");
}

TEST(DuetBenchmark, HasTheGateOfItsChain) {
  EXPECT_FALSE(Register()->Options().gate.exists());
  EXPECT_EQ(Register()->MaxRatio(1.05)->Options().gate.hi(), 1.05);
  EXPECT_DOUBLE_EQ(Register()->MinSpeedup(1.25)->Options().gate.hi(), 0.8);
  EXPECT_DOUBLE_EQ(Register()->Equivalent(0.25)->Options().gate.lo(), 0.8);
}

TEST(DuetBenchmarkDeathTest, ImpossibleChainsOfTheLibraryStopTheProgramToo) {
  EXPECT_DEATH(Register()->MinWarmUpTime(-1), "MinWarmUpTime.t. needs t >= 0 seconds");
  EXPECT_DEATH(Register()->Setup(nullptr), "Setup.callback. needs a callback");
  EXPECT_DEATH(Register()->Teardown(nullptr), "Teardown.callback. needs a callback");
  EXPECT_DEATH(Register()->Iterations(0), "Iterations.n. needs n > 0");
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
  EXPECT_STREQ(duet->location().file, __FILE__);
  EXPECT_GE(duet->location().line, line);
  EXPECT_LE(duet->location().line, line + 2) << "clang-format may break the call";
}

double Statistic(const std::vector<double>& values) { return values.front(); }
double Order(benchmark::IterationCount n) { return static_cast<double>(n); }
void OnState(const benchmark::State&) {}
void OnBase(internal::BenchmarkBase*) {}
template <class Benchmark>
void OnAny(Benchmark*) {}

// Each chain method between methods of the duet's own: that it compiles is the test (what it does
// is tests/integration/chains_test.cc).
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
    const ExperimentOptions options = benchmark->Options();
    EXPECT_EQ(options.runs, 2);
    EXPECT_EQ(options.level, 0.9);
    EXPECT_EQ(options.margin, 0.02);
    EXPECT_TRUE(options.fill);
    EXPECT_TRUE(options.check_equal);
    EXPECT_EQ(options.schedule, Schedule::kInterleaved);
  }
}

TEST(DuetBenchmark, MethodsOfTheLibraryMixWithItsOwnInAnyOrder) {
  using D = DuetBenchmark;
  ExpectChains([](D* duet) -> D* { return duet->Name("renamed"); });
  ExpectChains([](D* duet) -> D* { return duet->Arg(1); });
  ExpectChains([](D* duet) -> D* { return duet->Args({1, 2}); });
  ExpectChains([](D* duet) -> D* { return duet->ArgPair(1, 2); });
  ExpectChains([](D* duet) -> D* { return duet->Range(1, 8); });
  ExpectChains([](D* duet) -> D* { return duet->RangePair(1, 8, 1, 8); });
  ExpectChains([](D* duet) -> D* { return duet->Ranges({{1, 8}, {1, 8}}); });
  ExpectChains([](D* duet) -> D* { return duet->DenseRange(1, 3); });
  ExpectChains([](D* duet) -> D* { return duet->DenseRange(1, 3, 2); });
  ExpectChains([](D* duet) -> D* { return duet->ArgsProduct({{1, 2}, {3, 4}}); });
  ExpectChains([](D* duet) -> D* {
    return duet->ArgsProduct({benchmark::CreateRange(8, 128, 2), {1}});
  });
  ExpectChains([](D* duet) -> D* { return duet->RangeMultiplier(2); });
  ExpectChains([](D* duet) -> D* { return duet->ArgName("n"); });
  ExpectChains([](D* duet) -> D* { return duet->ArgNames({"n", "m"}); });
  ExpectChains([](D* duet) -> D* { return duet->Apply(OnBase); });
  ExpectChains([](D* duet) -> D* { return duet->Apply(OnAny); });
  ExpectChains(
      [](D* duet) -> D* { return duet->Apply([](auto* benchmark) { benchmark->Arg(1); }); });
  ExpectChains([](D* duet) -> D* { return duet->Setup(OnState)->Teardown(OnState); });
  ExpectChains([](D* duet) -> D* {
    return duet->Setup([](const benchmark::State&) {})->Teardown([](const benchmark::State&) {});
  });
  ExpectChains([](D* duet) -> D* { return duet->MinTime(0.5); });
  ExpectChains([](D* duet) -> D* { return duet->MinWarmUpTime(0.5); });
  ExpectChains([](D* duet) -> D* { return duet->Iterations(3); });
  ExpectChains([](D* duet) -> D* { return duet->Repetitions(3); });
  ExpectChains([](D* duet) -> D* { return duet->Unit(benchmark::kMillisecond); });
  ExpectChains([](D* duet) -> D* { return duet->ReportAggregatesOnly(); });
  ExpectChains([](D* duet) -> D* { return duet->DisplayAggregatesOnly(); });
  ExpectChains([](D* duet) -> D* { return duet->Complexity(); });
  ExpectChains([](D* duet) -> D* { return duet->Complexity(benchmark::oNLogN); });
  ExpectChains([](D* duet) -> D* { return duet->Complexity(Order); });
  ExpectChains([](D* duet) -> D* { return duet->ComputeStatistics("first", Statistic); });
  ExpectChains([](D* duet) -> D* {
    return duet->ComputeStatistics("first", Statistic, benchmark::kPercentage);
  });
  ExpectChains([](D* duet) -> D* { return duet->UseRealTime(); });
  ExpectChains([](D* duet) -> D* { return duet->UseManualTime(); });
  ExpectChains([](D* duet) -> D* { return duet->MeasureProcessCPUTime(); });
}

TEST(DuetBenchmark, TheChainSetsTheOptionsOfTheExperiment) {
  EXPECT_EQ(Register()->MinTime(0.5)->Options().min_time, 0.5);
  EXPECT_EQ(Register()->MinWarmUpTime(0.5)->Options().warm_up, 0.5);
  EXPECT_EQ(Register()->Iterations(5)->Options().operations, 5u);
  EXPECT_TRUE(Register()->UseManualTime()->Options().manual_time);
  EXPECT_FALSE(Register()->UseRealTime()->Options().manual_time);
}

}  // namespace
}  // namespace duetbench
