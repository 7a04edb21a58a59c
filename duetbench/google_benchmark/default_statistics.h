#ifndef DUETBENCH_GOOGLE_BENCHMARK_DEFAULT_STATISTICS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DEFAULT_STATISTICS_H_

#include <vector>

#include "duetbench/api/duet_spec.h"

namespace duetbench {

// The statistics that Google Benchmark computes over repetitions without being asked: mean, median,
// stddev (of a sample; 0 of a single value) and cv (stddev / mean, a percentage). They need at
// least one value.
std::vector<DuetStatistic> DefaultStatistics();

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DEFAULT_STATISTICS_H_
