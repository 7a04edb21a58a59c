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

// What a variant reported through its State.
struct VariantReport {
  std::string label;
  int64_t complexity_n = 0;
  // Of an iteration, by SetItemsProcessed and SetBytesProcessed; 0: not known.
  double items = 0;
  double bytes = 0;
  std::vector<CounterValue> counters;
};

// What a variant set in state.counters, as Google Benchmark reports it: rates per second of the
// time measured, averages per iteration, inverses.
std::vector<CounterValue> FinishCounters(const benchmark::UserCounters& counters, double iterations,
                                         double seconds);

// The same as the variant set them.
std::vector<CounterValue> RawCounters(const benchmark::UserCounters& counters);

// How the counters (as the variants set them) and labels of two variants differ; empty if they do
// not. That there are none is a difference too: there was nothing to compare.
std::string DescribeDifference(const VariantReport& old_report, const VariantReport& new_report);

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_VARIANT_REPORT_H_
