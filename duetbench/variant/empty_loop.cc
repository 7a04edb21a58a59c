#include "duetbench/variant/empty_loop.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "duetbench/platform/ticks.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

constexpr uint64_t kEmptyIterations = 30'000;
constexpr int kEmptySamples = 12;
// Another placement of a loop of a few instructions costs up to a cycle more, of four or so.
constexpr double kEmptyTolerance = 1.3;

// Times samples of a fixed length.
class StopWatch final : public SampleLoop {
 public:
  uint64_t NextSample(uint64_t stop, uint64_t iterations) override {
    if (iterations > 0) least_ = std::min(least_, stop - start_);
    if (samples_++ == kEmptySamples) return 0;
    start_ = ticks::Start();
    return kEmptyIterations;
  }
  void EndEarly() override { samples_ = kEmptySamples; }
  void Pause() override {}
  void Resume() override {}
  void AddManualTime(double) override {}
  uint64_t fixed_iterations() const override { return 0; }
  bool IsCalibrating() const override { return false; }
  void AskForIterations(uint64_t) override {}
  uint64_t asked_iterations() const override { return 0; }
  uint64_t NextCall() override { return 0; }
  void EnterLoop() override {}
  void LeaveLoop(uint64_t, uint64_t) override {}

  double TicksPerIteration() const {
    return static_cast<double>(least_) / static_cast<double>(kEmptyIterations);
  }

 private:
  int samples_ = 0;
  uint64_t start_ = 0;
  uint64_t least_ = std::numeric_limits<uint64_t>::max();
};

__attribute__((noinline)) int ReturnNothing() { return 0; }

double Measured(const Variant& variant) {
  StopWatch watch;
  State state(&watch, {});
  variant.Run(state);
  return watch.TicksPerIteration();
}

}  // namespace

double EmptyIterationNs(const Variant& variant, double ns_per_tick) {
#ifdef __OPTIMIZE__
  if (variant.is_called_for_each_sample()) return 0;
  if (variant.is_looped_pointer()) {
    static const double ticks = Measured(*MakeVariant(&ReturnNothing));
    return ticks * ns_per_tick;
  }
  static const double ticks = Measured(*MakeVariant([](State& state) {
    for (auto _ : state) benchmark::ClobberMemory();  // keeps the loop, and is no instruction
  }));
  return ticks * ns_per_tick;
#else
  (void)variant;
  (void)ns_per_tick;
  (void)Measured;
  (void)ReturnNothing;
  return 0;
#endif
}

bool LacksWork(double time_ns, double empty_ns) { return time_ns <= kEmptyTolerance * empty_ns; }

}  // namespace duetbench
