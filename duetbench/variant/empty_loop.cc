#include "duetbench/variant/empty_loop.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "duetbench/platform/ticks.h"
#include "duetbench/variant/move_code.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

constexpr uint64_t kEmptyIterations = 4'000;
constexpr int kEmptySamples = 8;  // of each loop, after one that warms it up

// Times samples of a fixed length.
class StopWatch final : public SampleLoop {
 public:
  explicit StopWatch(std::vector<double>* ticks) : ticks_(*ticks) {}

  uint64_t NextSample(uint64_t stop, uint64_t iterations) override {
    if (samples_ > 1) {
      ticks_.push_back(static_cast<double>(stop - start_) / static_cast<double>(iterations));
    }
    if (samples_++ > kEmptySamples) return 0;
    start_ = ticks::Start();
    return kEmptyIterations;
  }
  void EndEarly() override { samples_ = kEmptySamples + 1; }
  void Pause() override {}
  void Resume() override {}
  void AddManualTime(double) override {}
  uint64_t fixed_iterations() const override { return 0; }

 private:
  std::vector<double>& ticks_;
  int samples_ = 0;
  uint64_t start_ = 0;
};

#ifdef __OPTIMIZE__
enum class Body { kNothing, kConstant };

template <Body body>
__attribute__((always_inline)) inline void Iterate() {
  if constexpr (body == Body::kConstant) {
    int result = 1;
    benchmark::DoNotOptimize(result);
  } else {
    benchmark::ClobberMemory();  // keeps the loop, and is no instruction
  }
}

template <Body body, int kBytesBefore>
__attribute__((noinline, aligned(64))) void RangeLoop(State& state) {
  internal::MoveCode<kBytesBefore>();
  for (auto _ : state) Iterate<body>();
}

template <Body body, int kBytesBefore>
__attribute__((noinline, aligned(64))) void KeepRunningLoop(State& state) {
  internal::MoveCode<kBytesBefore>();
  while (state.KeepRunning()) Iterate<body>();
}

__attribute__((noinline)) int ReturnConstant() { return 1; }
__attribute__((noinline)) void DoNothing() { benchmark::ClobberMemory(); }
void PointerToConstant(State& state) {
  int (*function)() = &ReturnConstant;
  benchmark::DoNotOptimize(function);
  internal::Loop(state, function);
}
void PointerToNothing(State& state) {
  void (*function)() = &DoNothing;
  benchmark::DoNotOptimize(function);
  internal::Loop(state, function);
}

using EmptyLoop = void (*)(State&);
#define DUETBENCH_PLACEMENTS(loop, body) \
  loop<Body::body, 0>, loop<Body::body, 12>, loop<Body::body, 28>, loop<Body::body, 44>
constexpr EmptyLoop kRangeLoops[] = {DUETBENCH_PLACEMENTS(RangeLoop, kNothing),
                                     DUETBENCH_PLACEMENTS(RangeLoop, kConstant)};
constexpr EmptyLoop kKeepRunningLoops[] = {DUETBENCH_PLACEMENTS(KeepRunningLoop, kNothing),
                                           DUETBENCH_PLACEMENTS(KeepRunningLoop, kConstant)};
#undef DUETBENCH_PLACEMENTS
constexpr EmptyLoop kPointerLoops[] = {PointerToConstant, PointerToNothing};

template <size_t kCount>
double UpperDecile(const EmptyLoop (&loops)[kCount]) {
  std::vector<double> ticks;
  ticks.reserve(kCount * kEmptySamples);
  for (const EmptyLoop loop : loops) {
    StopWatch watch(&ticks);
    State state(&watch, {});
    loop(state);
  }
  const auto decile = ticks.end() - static_cast<std::ptrdiff_t>((ticks.size() + 9) / 10);
  std::nth_element(ticks.begin(), decile, ticks.end());
  return *decile;
}
#endif

}  // namespace

LoopForm LoopFormOf(const Variant& variant, const State& state) {
  if (variant.is_looped_pointer()) return LoopForm::kPointer;
  return state.has_range_loop() ? LoopForm::kRange : LoopForm::kKeepRunning;
}

double EmptyIterationTicks(LoopForm form) {
#ifdef __OPTIMIZE__
  switch (form) {
    case LoopForm::kRange:
      return UpperDecile(kRangeLoops);
    case LoopForm::kKeepRunning:
      return UpperDecile(kKeepRunningLoops);
    case LoopForm::kPointer:
      return UpperDecile(kPointerLoops);
  }
#else
  (void)form;
#endif
  return 0;
}

}  // namespace duetbench
