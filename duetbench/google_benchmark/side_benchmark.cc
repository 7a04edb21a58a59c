#include "duetbench/google_benchmark/side_benchmark.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "duetbench/api/register_duet.h"
#include "duetbench/experiment/this_process.h"
#include "duetbench/google_benchmark/benchmark_settings.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/google_benchmark/versions.h"
#include "duetbench/variant/google_benchmark_loop.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

// Drives our State by one of Google Benchmark, whose clock is the one that runs: all iterations are
// one sample.
class LoopOfGoogleBenchmark final : public SampleLoop {
 public:
  explicit LoopOfGoogleBenchmark(benchmark::State* state) : state_(*state) {}

  uint64_t NextSample(uint64_t, uint64_t iterations) override {
    if (ended_) return 0;
    // The first call starts the clock, the second one stops it.
    if (state_.KeepRunningBatch(state_.max_iterations)) return fixed_iterations();
    // The last group of a loop in groups may have gone beyond the end.
    if (iterations > fixed_iterations()) {
      internal::AddIterations(state_, static_cast<int64_t>(iterations - fixed_iterations()));
    }
    return 0;
  }
  // Google Benchmark's State is told why when the function has returned.
  void EndEarly() override { ended_ = true; }
  void Pause() override { state_.PauseTiming(); }
  void Resume() override { state_.ResumeTiming(); }
  void AddManualTime(double seconds) override { state_.SetIterationTime(seconds); }

  uint64_t fixed_iterations() const override {
    return static_cast<uint64_t>(state_.max_iterations);
  }

  // Of functions that are called for each sample, which this one is not.
  bool IsCalibrating() const override { return false; }
  void AskForIterations(uint64_t) override {}
  uint64_t asked_iterations() const override { return 0; }
  uint64_t NextCall() override { return 0; }
  void EnterLoop() override {}
  void LeaveLoop(uint64_t, uint64_t) override {}

 private:
  benchmark::State& state_;
  bool ended_ = false;
};

}  // namespace

SideBenchmark::SideBenchmark(const std::string& name, std::shared_ptr<const Variant> variant,
                             Location location)
    : internal::BenchmarkBase(name.c_str()), variant_(std::move(variant)), location_(location) {}

SideBenchmark::~SideBenchmark() { internal::NoteDestroyed(this); }

void SideBenchmark::Run(benchmark::State& state) {
  if (variant_->is_called_for_each_sample()) return variant_->Call(state);
  if (state.threads() > 1) {
    state.SkipWithError("a function of duetbench::State& has one thread");
    return;
  }
  LoopOfGoogleBenchmark loop(&state);
  State ours(&loop, internal::RangesOf(state), NameOf(*this), nullptr);
  variant_->Run(ours);
  if (ours.skipped()) return internal::Skip(state, ours.error_message(), ours.error_occurred());
  for (const auto& [counter, value] : ours.counters) state.counters[counter] = value;
  if (!ours.label().empty()) state.SetLabel(ours.label());
  if (ours.complexity_length_n() != 0) state.SetComplexityN(ours.complexity_length_n());
}

namespace internal {

BenchmarkBase* AddSide(const std::string& name, std::shared_ptr<const Variant> variant,
                       Location location) {
  // As for the first duet: from then on a run ends with its parent.
  RunOfThisProcess();
  auto side = std::make_unique<SideBenchmark>(name, std::move(variant), location);
  BenchmarkBase* const added = side.get();
  {
    // Noted below, in programs without --wrap too.
    const RegisteringOwn own;
    RegisterWith(&benchmark::internal::RegisterBenchmarkInternal, std::move(side));
  }
  NoteRegistered(added);
  return added;
}

}  // namespace internal
}  // namespace duetbench
