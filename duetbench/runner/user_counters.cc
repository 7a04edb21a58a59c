#include "duetbench/runner/user_counters.h"

#include <cstdint>

namespace duetbench {

std::vector<CounterValue> FinishCounters(const benchmark::UserCounters& counters, double operations,
                                         double seconds) {
  using benchmark::Counter;
  std::vector<CounterValue> finished = RawCounters(counters);
  for (CounterValue& counter : finished) {
    const auto has = [&counter](Counter::Flags flag) {
      return (counter.flags & static_cast<uint32_t>(flag)) != 0;
    };
    if (has(Counter::kIsRate)) counter.value /= seconds;
    if (has(Counter::kIsIterationInvariant)) counter.value *= operations;
    if (has(Counter::kAvgIterations)) counter.value /= operations;
    if (has(Counter::kInvert)) counter.value = 1 / counter.value;
  }
  return finished;
}

std::vector<CounterValue> RawCounters(const benchmark::UserCounters& counters) {
  std::vector<CounterValue> raw;
  for (const auto& [name, counter] : counters) {
    raw.push_back({name, counter.value, static_cast<uint32_t>(counter.flags),
                   static_cast<uint32_t>(counter.oneK)});
  }
  return raw;
}

}  // namespace duetbench
