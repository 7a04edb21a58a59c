#include "duetbench/experiment/pause_cost.h"

#include <utility>
#include <vector>

#include "duetbench/experiment/event_counting.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/sample.h"
#include "duetbench/experiment/sample_timer.h"
#include "duetbench/experiment/usage_meter.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/stats/robust.h"
#include "duetbench/variant/sample_loop.h"
#include "duetbench/variant/state.h"

namespace duetbench {
namespace {

constexpr uint64_t kPauses = 64;  // in a sample
constexpr int kSamples = 17;      // the first one warms up

// Times samples as MeasuringLoop does, and pauses as it does.
class PauseLoop final : public SampleLoop {
 public:
  explicit PauseLoop(double ns_per_tick)
      : events_(plan_, nullptr, nullptr, 0), timer_(0, 0, &events_), usage_(ns_per_tick) {}

  uint64_t NextSample(uint64_t stop, uint64_t /*iterations*/) override {
    if (timer_.is_running()) {
      timer_.Stop(stop);
      if (samples_ > 1) ticks_.push_back(static_cast<double>(timer_.net_ticks()));
    }
    if (samples_++ == kSamples) return 0;
    timer_.Start(&sample_);
    return kPauses;
  }
  void EndEarly() override { samples_ = kSamples; }
  void Pause() override {
    timer_.Pause();
    usage_.Pause();
  }
  void Resume() override {
    usage_.Resume();
    timer_.Resume();
  }
  void AddManualTime(double) override {}
  uint64_t fixed_iterations() const override { return 0; }

  std::vector<double> TakeTicks() { return std::move(ticks_); }

 private:
  const RunPlan plan_{};
  EventCounting events_;
  SampleTimer timer_;
  UsageMeter usage_;
  Sample sample_{};
  int samples_ = 0;
  std::vector<double> ticks_;
};

}  // namespace

uint64_t MeasurePauseTicks(double ns_per_tick) {
  PauseLoop loop(ns_per_tick);
  State state(&loop, {});
  for (auto _ : state) {
    state.PauseTiming();
    state.ResumeTiming();
  }
  const double sample = stats::Median(loop.TakeTicks());
  return static_cast<uint64_t>(sample / static_cast<double>(kPauses) + 0.5);
}

double PauseShare(absl::Span<const RunResult> results, int variant) {
  std::vector<double> shares;
  for (const RunResult& result : results) shares.push_back(result.pause_share[variant]);
  return shares.empty() ? 0 : stats::Median(std::move(shares));
}

}  // namespace duetbench
