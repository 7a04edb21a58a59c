#include "duetbench/measure/empty_comparison.h"

#include <algorithm>
#include <cstdint>

#include "duetbench/platform/ticks.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

constexpr uint64_t kEmptyIterations = 1'000;
constexpr int kEmptySamples = 2;  // of each loop

// Times samples of a fixed length.
class StopWatch final : public SampleLoop {
 public:
  uint64_t NextSample(uint64_t stop, uint64_t /*iterations*/) override {
    if (samples_ > 0) most_ticks_ = std::max(most_ticks_, stop - start_);
    if (samples_++ == kEmptySamples) return 0;
    start_ = ticks::Start();
    return kEmptyIterations;
  }
  uint64_t most_ticks() const { return most_ticks_; }

 private:
  uint64_t most_ticks_ = 0;
  int samples_ = 0;
  uint64_t start_ = 0;
};

#ifdef __OPTIMIZE__
// Executed once, before a loop: moves the loop by `kBytesBefore`, a multiple of 4. Where a loop of
// two instructions lies in its cache line can be worth more than all there is to measure.
template <int kBytesBefore>
__attribute__((always_inline)) inline void MoveCode() {
#if defined(__x86_64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore));
#elif defined(__aarch64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore / 4));
#endif
}

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
  MoveCode<kBytesBefore>();
  for (auto _ : state) Iterate<body>();
}

template <Body body, int kBytesBefore>
__attribute__((noinline, aligned(64))) void KeepRunningLoop(State& state) {
  MoveCode<kBytesBefore>();
  while (state.KeepRunning()) Iterate<body>();
}

// A processor predicts a call through a pointer faster as long as that call has had one target only
// (4.8 and 7.3 cycles an iteration on an AMD Zen 3). So this loop is not that of the variants, and
// has two targets.
template <class Result>
struct Pointer {
  Result (*function)();
  Result operator()() const { return function(); }
};
template <int kConstant>
__attribute__((noinline)) int ReturnConstant() {
  return kConstant;
}
template <int kNumber>
__attribute__((noinline)) void DoNothing() {
  asm volatile("" : : "i"(kNumber) : "memory");  // the compiler does not merge such functions
}
template <class Result, Result (*kFunction)()>
void PointerLoop(State& state) {
  Pointer<Result> pointer{kFunction};
  benchmark::DoNotOptimize(pointer);
  internal::Loop(state, pointer);
}

using EmptyLoop = void (*)(State&);
#define DUETBENCH_PLACEMENTS(loop, body) \
  loop<Body::body, 0>, loop<Body::body, 12>, loop<Body::body, 28>, loop<Body::body, 44>
constexpr EmptyLoop kRangeLoops[] = {DUETBENCH_PLACEMENTS(RangeLoop, kNothing),
                                     DUETBENCH_PLACEMENTS(RangeLoop, kConstant)};
constexpr EmptyLoop kKeepRunningLoops[] = {DUETBENCH_PLACEMENTS(KeepRunningLoop, kNothing),
                                           DUETBENCH_PLACEMENTS(KeepRunningLoop, kConstant)};
#undef DUETBENCH_PLACEMENTS
constexpr EmptyLoop kPointerLoops[] = {
    PointerLoop<int, ReturnConstant<1>>, PointerLoop<int, ReturnConstant<2>>,
    PointerLoop<void, DoNothing<1>>, PointerLoop<void, DoNothing<2>>};

template <size_t kCount>
double SlowestOf(const EmptyLoop (&loops)[kCount]) {
  uint64_t ticks = 0;
  for (const EmptyLoop loop : loops) {
    StopWatch watch;
    State state(&watch, {});
    loop(state);
    ticks = std::max(ticks, watch.most_ticks());
  }
  return static_cast<double>(ticks) / static_cast<double>(kEmptyIterations);
}
#endif

// The form of the loop that `variant` has executed with `state`.
LoopForm LoopFormOf(const Variant& variant, const State& state) {
  if (variant.is_looped_pointer()) return LoopForm::kPointer;
  return state.has_range_loop() ? LoopForm::kRange : LoopForm::kKeepRunning;
}

}  // namespace

double EmptyIterationTicks(LoopForm form) {
#ifdef __OPTIMIZE__
  switch (form) {
    case LoopForm::kRange:
      return SlowestOf(kRangeLoops);
    case LoopForm::kKeepRunning:
      return SlowestOf(kKeepRunningLoops);
    case LoopForm::kPointer:
      return SlowestOf(kPointerLoops);
  }
#else
  (void)form;
#endif
  return 0;
}

void EmptyComparison::Begin(const Variant* variant, const State* state, double ns_per_tick) {
  variant_ = variant;
  state_ = state;
  ns_per_tick_ = ns_per_tick;
}

void EmptyComparison::ExecuteEmptyLoops() {
  empty_ticks_ = 0;
  if (variant_ == nullptr || has_work_) return;
  if (samples_++ % kMeasuringPolicy.samples_per_empty_comparison != 0) return;
  empty_ticks_ = EmptyIterationTicks(LoopFormOf(*variant_, *state_));
}

void EmptyComparison::Compare(const Sample& sample, uint64_t net_ticks) {
  if (!(empty_ticks_ > 0) || sample.iterations == 0) return;
  // Beside busy processes most samples are preempted: the time on the CPU counts.
  const double off_ns = sample.voluntary_switches == 0 ? sample.blocked_ns : 0;
  const double ticks = std::max(0.0, static_cast<double>(net_ticks) - off_ns / ns_per_tick_) /
                       static_cast<double>(sample.iterations);
  ++tally_.samples;
  // Less says where a loop lies: calls of an empty function were taken for work in one of five
  // executions with a limit of 1, as they take as long as the slowest of the empty loops (Intel
  // Xeon, Golden Cove).
  if (ticks <= kMeasuringPolicy.max_ratio_of_alike * empty_ticks_) ++tally_.no_longer;
  tally_.empty_ns += empty_ticks_ * ns_per_tick_;
  // A disturbed sample is not known to have work.
  const bool is_disturbed = sample.involuntary_switches > 0;
  if (!is_disturbed && ticks > kMeasuringPolicy.far_from_empty * empty_ticks_) has_work_ = true;
}

}  // namespace duetbench
