#ifndef DUETBENCH_GOOGLE_BENCHMARK_COMPLEXITY_H_
#define DUETBENCH_GOOGLE_BENCHMARK_COMPLEXITY_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace duetbench {

// Growth of time with n: the fits of Google Benchmark's Complexity(), for each variant of a duet.
// Google Benchmark itself fits only the one row that it knows.
struct ComplexityPoint {
  int64_t n;
  double real_seconds;  // per iteration
  double cpu_seconds;
};

struct ComplexityFit {
  benchmark::BigO complexity;
  double real_coefficient;  // seconds for each unit of f(n)
  double cpu_coefficient;
  double real_rms;  // root mean square error / mean of the times
  double cpu_rms;
};

// Least squares of time = coefficient · f(n). For oAuto f is the one of 1, lg N, N, N lg N, N² and
// N³ with the smallest error of real time, which is what duets measure; CPU time is fitted with the
// same. `lambda` is f for oLambda. None for fewer than two points, for n < 1, and where f is zero
// or not finite.
std::optional<ComplexityFit> FitComplexity(const std::vector<ComplexityPoint>& points,
                                           benchmark::BigO complexity, benchmark::BigOFunc* lambda);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_COMPLEXITY_H_
