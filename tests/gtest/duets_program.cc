// Tests with duets in them, as users write them. Some fail: duets_test.cc runs them and looks.
#include <duetbench/gtest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/work.h"

using duetbench::Compare;
using duetbench::CompareOptions;
using duetbench::ComparisonResult;
using duetbench::EquivalentWithin;
using duetbench::FasterThan;
using duetbench::HasVerdict;
using duetbench::NotSlowerThan;
using duetbench::Verdict;

// The expectations hold even if one of eight runs is spoilt altogether: an interval at 99 % around
// ten is then still above the 1.5 that is demanded.
static void Once() { Steps(200); }
static void TenTimes() { Steps(2000); }

// Tells factors of ten apart where half of a CPU is taken away.
static void ExpectFactor(const ComparisonResult& result, double factor) {
  EXPECT_GT(result.ratio(), factor / 3);
  EXPECT_LT(result.ratio(), factor * 3);
}

// --- What passes ---

TEST(Parser, NewIsNotSlower) { EXPECT_THAT(Compare(Once, Once), NotSlowerThan(1.5)); }

TEST(Parser, NewIsFaster) {
  EXPECT_THAT(Compare(TenTimes, Once), FasterThan(1.5));
  EXPECT_THAT(Compare(TenTimes, Once), HasVerdict(Verdict::kFaster));
  EXPECT_THAT(Compare(Once, TenTimes), testing::Not(NotSlowerThan(1.5)));
}

TEST(Parser, LambdasSeeTheLocalsOfTheirTest) {
  const std::vector<int64_t> steps = {200, 2000};
  int calls = 0;
  const ComparisonResult result = Compare([&] { Steps(steps[0]); },
                                          [&](auto& state) {
                                            for (auto _ : state)
                                              Steps(steps[static_cast<size_t>(state.range(0))]);
                                            ++calls;
                                          },
                                          CompareOptions().Args({1}));
  ExpectFactor(result, 10);
  EXPECT_LE(result.lo(), result.ratio());
  EXPECT_GE(result.hi(), result.ratio());
  EXPECT_EQ(result.verdict(), Verdict::kSlower);
  EXPECT_GT(result.new_time_ns(), result.old_time_ns());
  EXPECT_GT(result.numbers()["pairs"], 0);
  EXPECT_EQ(result.error(), "");
  EXPECT_EQ(calls, 0) << "measured in other processes";
}

static ComparisonResult CompareLocals(int64_t steps) {
  const std::vector<int64_t> local = {steps};
  return Compare([&] { Steps(local[0]); }, [&] { Steps(10 * local[0]); });
}

TEST(Parser, AFunctionMayReturnAResult) { EXPECT_GT(CompareLocals(200).ratio(), 1.5); }

TEST(Parser, ComparisonsAreNumbered) {
  for (const int64_t factor : {1, 10, 100}) {
    const ComparisonResult result = Compare([] { Steps(300); }, [factor] { Steps(300 * factor); });
    ExpectFactor(result, static_cast<double>(factor));
  }
}

TEST(Parser, DISABLED_IsOff) { EXPECT_THAT(Compare(Once, Once), NotSlowerThan(1.5)); }

class Sizes : public testing::TestWithParam<int64_t> {};
TEST_P(Sizes, AreTimedThemselves) {
  const int64_t factor = GetParam();
  const ComparisonResult result = Compare([] { Steps(300); }, [factor] { Steps(300 * factor); });
  ExpectFactor(result, static_cast<double>(factor));
}
INSTANTIATE_TEST_SUITE_P(Many, Sizes, testing::Values(1, 10, 100));

template <class Steps>
class Typed : public testing::Test {};
TYPED_TEST_SUITE_P(Typed);
TYPED_TEST_P(Typed, IsTimedItself) {
  const ComparisonResult result =
      Compare([] { Steps(300); }, [] { Steps(300 * TypeParam::value); });
  ExpectFactor(result, TypeParam::value);
}
REGISTER_TYPED_TEST_SUITE_P(Typed, IsTimedItself);
using Factors = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 10>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Two, Typed, Factors);

DUET_TEST(Parser, Speed, Once, Once).MaxRatio(1.5);
DUET_TEST(
    Parser, SpeedOfLambdas, [] { Steps(3000); }, [] { Steps(300); })
    .MinSpeedup(1.5)
    .With(CompareOptions().Runs(3));
DUET_TEST(Parser, OnlyMeasured, Once, TenTimes);

// --- What fails ---

TEST(Slow, IsSlower) { EXPECT_THAT(Compare(Once, TenTimes), NotSlowerThan(1.5)); }
TEST(Slow, IsNotFaster) { EXPECT_THAT(Compare(Once, TenTimes), FasterThan(1.5)); }
TEST(Slow, IsNotEquivalent) { EXPECT_THAT(Compare(Once, TenTimes), EquivalentWithin(0.1)); }
TEST(Slow, IsNotEqual) { EXPECT_THAT(Compare(Once, TenTimes), HasVerdict(Verdict::kEqual)); }
DUET_TEST(Slow, Speed, Once, TenTimes).MaxRatio(1.5);

TEST(Trouble, Throws) {
  EXPECT_THAT(Compare(Once, [] { throw std::runtime_error("no such file"); }), NotSlowerThan(1.5));
}
TEST(Trouble, Crashes) {
  EXPECT_THAT(Compare([] { std::abort(); }, Once), NotSlowerThan(1.5));
}
TEST(Trouble, Exits) {
  EXPECT_THAT(Compare([] { _exit(0); }, Once), HasVerdict(Verdict::kEqual));
}
TEST(Trouble, NeverEnds) {
  EXPECT_THAT(Compare(Once, [] { std::this_thread::sleep_for(std::chrono::hours(1)); }),
              NotSlowerThan(1.5));
}
DUET_TEST(Trouble, ThrowsToo, Once, [] { throw std::runtime_error("no such file"); });
TEST(Trouble, HasSillyOptions) {
  EXPECT_THAT(Compare(Once, Once, CompareOptions().Runs(0)), NotSlowerThan(1.5));
}

// --- Stacks ---

__attribute__((noinline)) static void UseStack() {
  constexpr size_t kBytes = size_t{32} << 20;
  char bytes[kBytes];
  for (size_t i = 0; i < kBytes; i += 4096) bytes[i] = 1;
  benchmark::DoNotOptimize(bytes);
}
static void Deep(duetbench::State& state) {
  UseStack();
  for (auto _ : state) Steps(200);
}
DUET_TEST(Stack, OfADuet, Deep, Deep);
TEST(Stack, OfAComparison) { ExpectFactor(Compare(Deep, Deep), 1); }

// --- What cannot be measured in other processes ---

class Outside : public testing::Test {
 public:
  static void SetUpTestSuite() { ratio_ = ComparisonResult(Compare(Once, TenTimes)).ratio(); }
  static double ratio_;
};
double Outside::ratio_ = 0;
TEST_F(Outside, IsMeasuredHere) { EXPECT_GT(ratio_, 1.5); }

// Only one process at a time comes past the file that INTEGRATION_LOCK names.
TEST(Lock, IsNotHadTwice) {
  const char* const path = std::getenv("INTEGRATION_LOCK");
  ASSERT_NE(path, nullptr);
  const int lock = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  ASSERT_GE(lock, 0) << "somebody else has it";
  const ComparisonResult result = Compare(Once, TenTimes);
  EXPECT_GT(result.ratio(), 1.5);
  for (const std::string& warning : result.warnings()) std::cout << "warning: " << warning << "\n";
  close(lock);
  unlink(path);
}

// Expectations before the comparison matter in this process alone.
TEST(Slow, FailsBeforeItCompares) {
  EXPECT_EQ(1, 2);
  EXPECT_THAT(Compare(Once, Once), NotSlowerThan(30));
}

// A name that no filter can spell.
static const bool registered = [] {
  class Odd : public testing::Test {
    void TestBody() override { EXPECT_THAT(Compare(Once, Once), NotSlowerThan(1.5)); }
  };
  testing::RegisterTest("Odd", "a*b:c-d?e", nullptr, nullptr, __FILE__, __LINE__,
                        []() -> testing::Test* { return new Odd; });
  return true;
}();
