// Everything that a variant can be.
#include <duetbench/duetbench.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/integration/work.h"

using duetbench::RegisterDuet;

static int PlainInt() {
  Steps(30);
  return 1;
}
static int PlainNoexcept() noexcept {
  Steps(30);
  return 1;
}
static void PlainVoid() { Steps(30); }
DUET_BENCHMARK(PlainInt, PlainVoid);
DUET_BENCHMARK(PlainInt, PlainNoexcept);

static void TakesState(duetbench::State& state) {
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(PlainInt, TakesState);

template <class AnyState>
static void Generic(AnyState& state) {
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(Generic<duetbench::State>, TakesState);
DUET_BENCHMARK(Generic, Generic);
DUET_BENCHMARK(Generic, TakesState);

template <int kSteps>
static void Template(duetbench::State& state) {
  for (auto _ : state) Steps(kSteps);
}
DUET_BENCHMARK(Template<30>, Template<31>);

template <int kSteps>
static int PlainTemplate() {
  Steps(kSteps);
  return kSteps;
}
DUET_BENCHMARK(PlainTemplate<30>, PlainTemplate<31>);

static const auto kGenericLambda = [](auto& state) {
  for (auto _ : state) Steps(30);
};
DUET_BENCHMARK(kGenericLambda, TakesState);

static void Paused(duetbench::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Steps(2000);
    state.ResumeTiming();
    Steps(20'000);
  }
}
static void Kept(duetbench::State& state) {
  while (state.KeepRunning()) Steps(20'000);
}
static void KeptInBatches(duetbench::State& state) {
  while (state.KeepRunningBatch(10)) {
    for (int i = 0; i < 10; ++i) Steps(30);
  }
}
DUET_BENCHMARK(Paused, Kept);
DUET_BENCHMARK(TakesState, KeptInBatches);

// --- Macros ---

template <class AnyState, class... Args>
static void WithArguments(AnyState& state, Args&&... args) {
  const int64_t steps = (args + ...);
  for (auto _ : state) Steps(steps);
  state.counters["steps"] = static_cast<double>(steps);
}
static void WithTwo(duetbench::State& state, int steps, const std::string& label) {
  for (auto _ : state) Steps(steps);
  state.SetLabel(label);
}
static void WithTwoMore(duetbench::State& state, int steps,
                        std::string label) {  // NOLINT(performance-unnecessary-value-param)
  for (auto _ : state) Steps(steps + 1);
  state.SetLabel(label);
}
DUET_BENCHMARK_CAPTURE(WithArguments, WithArguments, three, 10, 11, 12);
DUET_BENCHMARK_CAPTURE(WithTwo, WithTwoMore, text, 30, std::string("a, b"))->Runs(2);
BENCHMARK_CAPTURE(WithArguments, ordinary, 10, 11);

template <class T, int kSteps>
static void OldTemplate(duetbench::State& state) {
  for (auto _ : state) Steps(kSteps + static_cast<int64_t>(sizeof(T)));
}
template <class T, int kSteps>
static void NewTemplate(duetbench::State& state) {
  for (auto _ : state) Steps(kSteps + static_cast<int64_t>(sizeof(T)));
}
template <class T>
static T PlainOfType() {
  Steps(30);
  return T();
}
// The state comes last, so that it can be deduced.
template <class T, class AnyState>
static void GenericOfType(AnyState& state) {
  for (auto _ : state) Steps(30 + static_cast<int64_t>(sizeof(T)));
}
DUET_BENCHMARK_TEMPLATE(OldTemplate, NewTemplate, std::pair<int, char>, 30)->Runs(2);
DUET_BENCHMARK_TEMPLATE(PlainOfType, PlainOfType, int);
DUET_BENCHMARK_TEMPLATE(GenericOfType, GenericOfType, char);

// As it was written for Google Benchmark, but for the two methods.
class LibraryFixture : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    Note("SetUp");
    steps_ = state.range(0);
  }
  void TearDown(const benchmark::State&) override {
    Note("TearDown");
    steps_ = 0;
  }
  void Old(duetbench::State& state) {
    if (steps_ != state.range(0)) state.SkipWithError("is not set up");
    for (auto _ : state) Steps(steps_);
  }
  template <class AnyState>
  void New(AnyState& state) {
    if (steps_ != state.range(0)) state.SkipWithError("is not set up");
    for (auto _ : state) Steps(steps_);
  }
  int64_t Looped() {
    Steps(steps_);
    return steps_;
  }

 private:
  int64_t steps_ = 0;
};
BENCHMARK_DEFINE_F(LibraryFixture, Ordinary)(benchmark::State& state) {
  for (auto _ : state) Steps(30);
}
BENCHMARK_REGISTER_F(LibraryFixture, Ordinary)->Arg(1);
DUET_BENCHMARK_F(LibraryFixture, Old, New)->Arg(30)->Arg(40);
DUET_BENCHMARK_F(LibraryFixture, Old, Looped)->Arg(30);

// SetUp with a State that can be changed, as newer versions have it.
class CountingFixture : public benchmark::Fixture {
 public:
  using benchmark::Fixture::SetUp;
  using benchmark::Fixture::TearDown;
  void SetUp(benchmark::State& state) override {
    if (state.range(0) == 0) state.SkipWithError("nothing to do");
  }
  void TearDown(benchmark::State& state) override { state.counters["torn_down"] = 1; }
  void Work(duetbench::State& state) {
    for (auto _ : state) Steps(30);
  }
};
DUET_BENCHMARK_F(CountingFixture, Work, Work)->Arg(1);
DUET_BENCHMARK_F(CountingFixture, Work, Work)->Name("fails/fixture")->Arg(0);

struct PlainFixture {
  void SetUp() { steps = 30; }
  int Old() const {
    Steps(steps);
    return steps;
  }
  int New() const { return Old(); }
  int steps = 0;
};
DUET_BENCHMARK_F(PlainFixture, Old, New)->CheckEqual(false);

template <int kSteps>
struct DuetFixture {
  void SetUp(duetbench::State& state) { steps = kSteps + state.range_size(); }
  void TearDown(duetbench::State& state) { state.SetLabel("torn down"); }
  void Old(duetbench::State& state) {
    for (auto _ : state) Steps(static_cast<int64_t>(steps));
  }
  size_t steps = 0;
};
DUET_BENCHMARK_F(DuetFixture<30>, Old, Old);

static void RegisterAll() {
  duetbench::RegisterDuetFixture<PlainFixture>("fixture_functions", &PlainFixture::Old,
                                               [](PlainFixture& fixture, duetbench::State& state) {
                                                 for (auto _ : state) fixture.New();
                                               });
  RegisterDuet(
      "lambdas", [] { Steps(30); }, [] { return 2; });
  RegisterDuet(
      "captures", [steps = 30] { Steps(steps); },
      [data = std::make_unique<int>(30)](duetbench::State& state) {
        for (auto _ : state) Steps(*data);
      });
}

// Arguments below zero and of 64 bits reach the process of a run.
static void Extremes(duetbench::State& state) {
  if (state.range(0) != -5 || state.range(1) != int64_t{1} << 62) {
    state.SkipWithError("other arguments than registered");
  }
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(Extremes, Extremes)->Args({-5, int64_t{1} << 62});

int main(int argc, char** argv) {
  RegisterAll();
  return duetbench::Main(argc, argv);
}
