#include "duetbench/platform/tick_rate.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

struct Reading {
  uint64_t ticks;
  uint64_t ns;
};

// A reading of both clocks at nearly the same instant: the pair with the shortest gap of several.
Reading ReadBoth() {
  Reading best{};
  uint64_t best_gap = std::numeric_limits<uint64_t>::max();
  for (int attempt = 0; attempt < 5; ++attempt) {
    const uint64_t before = ticks::Now();
    const uint64_t ns = ticks::MonotonicNs();
    const uint64_t after = ticks::Now();
    if (after - before < best_gap) {
      best_gap = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

// The most frequent value; of several the smallest.
uint64_t Mode(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  uint64_t mode = 0;
  std::ptrdiff_t most = 0;
  for (auto it = values.begin(); it != values.end();) {
    const auto end = std::upper_bound(it, values.end(), *it);
    if (end - it > most) {
      most = end - it;
      mode = *it;
    }
    it = end;
  }
  return mode;
}

}  // namespace

double NsPerTick() {
  static const Reading first = ReadBoth();
  if (!ticks::internal::kUseCounter) return 1.0;
  Reading now = ReadBoth();
  while (now.ns - first.ns < 10'000'000) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(10'100'000 - (now.ns - first.ns)));
    now = ReadBoth();
  }
  return static_cast<double>(now.ns - first.ns) / static_cast<double>(now.ticks - first.ticks);
}

ClockTraits ClockTraitsFrom(std::vector<uint64_t> regions, const std::vector<uint64_t>& stamps) {
  ClockTraits traits;
  traits.overhead_ticks = Mode(std::move(regions));
  uint64_t step = std::numeric_limits<uint64_t>::max();
  for (size_t i = 1; i < stamps.size(); ++i) {
    if (stamps[i] > stamps[i - 1]) step = std::min(step, stamps[i] - stamps[i - 1]);
  }
  if (step != std::numeric_limits<uint64_t>::max()) traits.step_ticks = step;
  return traits;
}

ClockTraits MeasureClock() {
  constexpr int kSamples = 1000;
  std::vector<uint64_t> regions(kSamples);
  std::vector<uint64_t> stamps(kSamples);
  for (uint64_t& region : regions) {
    const uint64_t start = ticks::Start();
    region = ticks::Stop() - start;
  }
  for (uint64_t& stamp : stamps) stamp = ticks::Now();
  return ClockTraitsFrom(std::move(regions), stamps);
}

}  // namespace duetbench
