#ifndef DUETBENCH_VARIANT_VARIANT_REPORT_H_
#define DUETBENCH_VARIANT_VARIANT_REPORT_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

namespace duetbench {

// A user counter of one variant.
struct CounterValue {
  std::string name;
  double value;
  uint32_t flags;  // benchmark::Counter::Flags, as the variant set them
  uint32_t one_k;  // benchmark::Counter::OneK
};

// Report of a variant through its State.
struct VariantReport {
  std::string label;
  // Items and bytes of an iteration, by SetItemsProcessed and SetBytesProcessed; 0: not known.
  double items = 0;
  double bytes = 0;
  bool uses_seed = false;  // State::uses_seed()
  std::vector<CounterValue> counters;
};

// The values of state.counters, as Google Benchmark reports them: rates per second of the time
// measured, averages per iteration, inverses.
std::vector<CounterValue> FinishCounters(const benchmark::UserCounters& counters, double iterations,
                                         double seconds);

// The same as the variant set them.
std::vector<CounterValue> RawCounters(const benchmark::UserCounters& counters);

// Describes the differences between the counters (as the variants set them) and the labels of two
// variants; empty if they are equal. That there are none is a difference too: there was nothing to
// compare.
std::string DescribeDifference(const VariantReport& old_report, const VariantReport& new_report);

// Such a difference between the base of a group and another variant, as the cause of an error of
// that one.
std::string AndTheBase(const std::string& difference);

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_VARIANT_REPORT_H_
