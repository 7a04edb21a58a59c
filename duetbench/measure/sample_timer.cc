#include "duetbench/measure/sample_timer.h"

#include "duetbench/platform/ticks.h"

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

}  // namespace duetbench
