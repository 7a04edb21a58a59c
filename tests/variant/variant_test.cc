#include "duetbench/variant/variant.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

std::atomic<int> calls{0};

void OnState(State& state) { WorkLoop(state); }
void OnStateNoexcept(State& state) noexcept { WorkLoop(state); }
template <class AnyState>
void OnAnyState(AnyState& state) {
  for ([[maybe_unused]] auto _ : state) Work();
}
template <int kSteps>
void OnStateWithSteps(State& state) {
  for (auto _ : state) Work(kSteps);
}
void Plain() { Work(); }
int PlainInt() { return 42; }
void PlainCounted() { ++calls; }
std::string PlainString() { return std::string(100, 'x'); }
std::unique_ptr<int> PlainMoveOnly() { return std::make_unique<int>(1); }
const std::string& PlainReference() {
  static const std::string text("text");
  return text;
}
struct Constant {
  const int value;
  const std::vector<int> more;
};
Constant PlainConstant() { return {42, {1}}; }
struct Functor {
  void operator()(State& state) const { WorkLoop(state); }
};
struct PlainFunctor {
  int operator()() const { return value; }
  int value = 3;
};

// The variant is measured beside one that is known to work.
void ExpectMeasured(const std::shared_ptr<const Variant>& variant, const char* what) {
  DuetFunctions functions;
  functions.variants[0] = MakeVariant(WorkLoop);
  functions.variants[1] = variant;
  const RunResult result = Execute(ShortPlan(), functions);
  EXPECT_EQ(result.error.cause, "") << what;
  EXPECT_FALSE(result.pairs.empty()) << what;
}

TEST(MakeVariant, TakesEveryFormOfFunction) {
  ExpectMeasured(MakeVariant(OnState), "function");
  ExpectMeasured(MakeVariant(PlainConstant), "function that returns constant members");
  ExpectMeasured(MakeVariant(&OnStateNoexcept), "noexcept function");
  ExpectMeasured(MakeVariant(OnAnyState<State>), "template");
  ExpectMeasured(MakeVariant(OnStateWithSteps<10>), "template with a value");
  ExpectMeasured(MakeVariant([](State& state) { WorkLoop(state); }), "lambda");
  ExpectMeasured(MakeVariant([](auto& state) {
                   for ([[maybe_unused]] auto _ : state) Work();
                 }),
                 "generic lambda");
  ExpectMeasured(MakeVariant(Functor()), "functor");
  ExpectMeasured(MakeVariant(std::function<void(State&)>(OnState)), "std::function");
}

TEST(MakeVariant, TakesEveryFormOfFunctionWithoutArguments) {
  ExpectMeasured(MakeVariant(Plain), "void");
  ExpectMeasured(MakeVariant(PlainInt), "int");
  ExpectMeasured(MakeVariant(PlainString), "string");
  ExpectMeasured(MakeVariant(PlainMoveOnly), "move-only result");
  ExpectMeasured(MakeVariant(PlainReference), "reference");
  ExpectMeasured(MakeVariant(PlainFunctor()), "functor");
  ExpectMeasured(MakeVariant([] { Work(); }), "lambda");
  // The lambda is inlined into the loop, whose result must be computed all the same.
  ExpectMeasured(MakeVariant([x = 17] { return x * x; }), "lambda with a result");
  ExpectMeasured(MakeVariant([x = std::make_unique<int>(17)] { return *x; }), "move-only lambda");
}

TEST(MakeVariant, AFunctionWithoutArgumentsIsCalledOnceAnIteration) {
  calls = 0;
  const RunResult result = Measured(ShortPlan(), WorkLoop, PlainCounted);
  uint64_t measured = 0;
  for (const PairRecord& pair : result.pairs) measured += pair.iterations[1];
  EXPECT_GE(calls, static_cast<int>(measured));
}

TEST(MakeVariant, HasTheAddressOfAPlainFunction) {
  EXPECT_NE(MakeVariant(OnState)->address(), nullptr);
  EXPECT_EQ(MakeVariant(OnState)->address(), MakeVariant(&OnState)->address());
  EXPECT_NE(MakeVariant(OnState)->address(), MakeVariant(OnStateNoexcept)->address());
  EXPECT_EQ(MakeVariant(Plain)->address(), reinterpret_cast<const void*>(&Plain));
}

TEST(MakeVariant, HasNoAddressOfAnythingElse) {
  EXPECT_EQ(MakeVariant([](State& state) { WorkLoop(state); })->address(), nullptr);
  EXPECT_EQ(MakeVariant([] { Work(); })->address(), nullptr);
  EXPECT_EQ(MakeVariant(Functor())->address(), nullptr);
}

TEST(MakeVariant, KeepsWhatItWasMadeOf) {
  auto steps = std::make_shared<int>(10);
  const std::shared_ptr<const Variant> variant = MakeVariant([steps] { Work(*steps); });
  EXPECT_EQ(steps.use_count(), 2);
  ExpectMeasured(variant, "capture");
  EXPECT_EQ(steps.use_count(), 2);
}

}  // namespace
}  // namespace duetbench
