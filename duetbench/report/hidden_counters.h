#ifndef DUETBENCH_REPORT_HIDDEN_COUNTERS_H_
#define DUETBENCH_REPORT_HIDDEN_COUNTERS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// What a duet hands to Google Benchmark as counters of its one row, for our own reporters: none of
// them reaches a report. Over repetitions the library computes its statistics, and those that the
// user added, of every counter; by standing here the numbers of both variants and the ratio get
// them.

// The counter by which a row names the comparison behind it.
inline constexpr char kComparisonKey[] = "duet_comparison";

struct HiddenCounters {
  int64_t number = 0;  // of the comparison (comparison_book.h); of an aggregate nothing sensible
  int64_t group = 0;   // of its repetitions; of an aggregate right only where it is the mean
  // What follows is set, unless the comparison failed.
  bool has_numbers = false;
  double real_seconds[2] = {0, 0};  // per operation
  double cpu_seconds[2] = {0, 0};
  double ratio = 0;
  benchmark::UserCounters counters[2];  // of the user, flags as the user set them
};

benchmark::UserCounters EncodeHiddenCounters(const Comparison& comparison, int64_t number,
                                             int64_t group);

// None for the rows of ordinary benchmarks. Numbers that are not finite (the relative deviation of
// zeros) come as 0, and counters of the user that are not finite are left out.
std::optional<HiddenCounters> DecodeHiddenCounters(const benchmark::UserCounters& counters);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_HIDDEN_COUNTERS_H_
