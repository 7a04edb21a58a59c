#include "duetbench/measure/sample_timer.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <utility>
#include <vector>

#include "duetbench/measure/event_counting.h"
#include "duetbench/measure/usage_meter.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/robust.h"
#include "duetbench/variant/sample_loop.h"
#include "duetbench/variant/state.h"

namespace duetbench {

void SampleTimer::Start(Sample* sample) {
  sample_ = sample;
  paused_ticks_ = 0;
  cost_ticks_ = 0;
  manual_seconds_ = 0;
  TellTimed(!paused_);
  events_->Start();
  if (paused_) events_->Pause();
  const uint64_t start = ticks::Start();
  sample->start = start;
  if (paused_) pause_begin_ = start;
}

void SampleTimer::Stop(uint64_t stop) {
  if (!paused_) events_->Stop();
  TellTimed(false);
  if (paused_) paused_ticks_ += stop - pause_begin_;
  sample_->stop = stop;
  sample_->paused = paused_ticks();
  sample_->manual_seconds = manual_seconds_;
  // Samples are made long enough in real time, also where the variants report their own times.
  const uint64_t taken_off = paused_ticks() + overhead_ticks_;
  const uint64_t region = stop - sample_->start;
  net_ticks_ = region > taken_off ? region - taken_off : 0;
  all_net_ticks_ += net_ticks_;
  all_cost_ticks_ += cost_ticks_;
  stop_ = stop;
  sample_ = nullptr;
}

void SampleTimer::Pause() {
  if (!is_running() || paused_) return;
  paused_ = true;
  pause_begin_ = ticks::Stop();
  TellTimed(false);
  events_->Pause();
}

void SampleTimer::Resume() {
  if (!is_running() || !paused_) return;
  events_->Resume();
  TellTimed(true);
  const uint64_t now = ticks::Start();
  paused_ticks_ += now - pause_begin_;
  cost_ticks_ += pause_ticks_;
  paused_ = false;
}

namespace {

constexpr uint64_t kPauses = 64;  // in a sample
constexpr int kSamples = 18;      // the first two warm up

// Times samples as MeasuringLoop does, and pauses as it does. Every second sample has pauses.
class PauseLoop final : public SampleLoop {
 public:
  explicit PauseLoop(double ns_per_tick)
      : events_(plan_, nullptr, nullptr, 0), timer_(0, 0, &events_), usage_(ns_per_tick) {}

  uint64_t NextSample(uint64_t stop, uint64_t /*iterations*/) override {
    if (timer_.is_running()) {
      timer_.Stop(stop);
      if (samples_ > 2) ticks_[samples_ % 2].push_back(static_cast<double>(timer_.net_ticks()));
    }
    if (samples_++ == kSamples) return 0;
    timer_.Start(&sample_);
    return kPauses;
  }
  void Pause() override {
    timer_.Pause();
    usage_.Pause();
  }
  void Resume() override {
    usage_.Resume();
    timer_.Resume();
  }

  bool pauses() const { return samples_ % 2 == 0; }
  // By how much a pause has lengthened the samples.
  double CostTicks() {
    const double difference =
        stats::Median(std::move(ticks_[0])) - stats::Median(std::move(ticks_[1]));
    return difference / static_cast<double>(kPauses);
  }

 private:
  const RunPlan plan_{};
  EventCounting events_;
  SampleTimer timer_;
  UsageMeter usage_;
  Sample sample_{};
  int samples_ = 0;
  std::vector<double> ticks_[2];  // without pauses, and with them
};

// The cost of a pause before `work`.
template <class Work>
double CostBefore(const Work& work, double ns_per_tick) {
  PauseLoop loop(ns_per_tick);
  State state(&loop, {});
  for (auto _ : state) {
    if (loop.pauses()) {
      state.PauseTiming();
      state.ResumeTiming();
    }
    work();
  }
  return loop.CostTicks();
}

// A few tens of nanoseconds each.
void ChainOfMultiplications() {
  uint64_t value = 1;
  for (int i = 0; i < 16; ++i) {
    value = value * 3 + 1;
    benchmark::DoNotOptimize(value);
  }
}

void Sum() {
  uint64_t numbers[64] = {};
  benchmark::DoNotOptimize(numbers);
  uint64_t sum = 0;
  for (const uint64_t number : numbers) sum += number;
  benchmark::DoNotOptimize(sum);
}

void Divisions() {
  uint64_t value = ~uint64_t{0};
  for (uint64_t divisor = 3; divisor < 7; ++divisor) {
    benchmark::DoNotOptimize(divisor);
    value = value / divisor + (uint64_t{1} << 62);
  }
  benchmark::DoNotOptimize(value);
}

}  // namespace

uint64_t MeasurePauseTicks(double ns_per_tick) {
  std::vector<double> costs = {CostBefore([] {}, ns_per_tick),
                               CostBefore(ChainOfMultiplications, ns_per_tick),
                               CostBefore(Sum, ns_per_tick), CostBefore(Divisions, ns_per_tick)};
  return static_cast<uint64_t>(std::max(0.0, std::round(stats::Median(std::move(costs)))));
}

}  // namespace duetbench
