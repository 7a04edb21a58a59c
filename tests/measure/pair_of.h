#ifndef DUETBENCH_TESTS_MEASURE_PAIR_OF_H_
#define DUETBENCH_TESTS_MEASURE_PAIR_OF_H_

#include <cmath>
#include <cstdint>
#include <random>

#include "duetbench/record/run_result.h"

namespace duetbench {

// A pair of samples of one iteration each; the assignments alternate with `index`.
inline PairRecord PairOf(double old_ticks, double new_ticks, uint32_t index = 0,
                         uint32_t flags = 0) {
  PairRecord pair{};
  pair.ticks[0] = old_ticks;
  pair.ticks[1] = new_ticks;
  pair.iterations[0] = pair.iterations[1] = 1;
  pair.assignment = index % 2;
  pair.flags = flags;
  return pair;
}

// A run of equal pairs.
inline RunResult EqualPairs(double old_ticks, double new_ticks, uint32_t pairs = 20) {
  RunResult run;
  for (uint32_t i = 0; i < pairs; ++i) run.pairs.push_back(PairOf(old_ticks, new_ticks, i));
  return run;
}

// A run whose log-ratios vary by `spread`.
inline RunResult Noisy(double spread, uint32_t pairs, double log_ratio = 0) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(log_ratio, spread);
  RunResult run;
  for (uint32_t i = 0; i < pairs; ++i) {
    run.pairs.push_back(PairOf(1000, 1000 * std::exp(normal(random)), i));
  }
  return run;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_MEASURE_PAIR_OF_H_
