#ifndef DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_
#define DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// An A/A experiment with what is planted in it; every size is one of ln(time). The assignments take
// turns in blocks of ten pairs.
struct SyntheticRuns {
  std::size_t runs = 10;
  std::size_t pairs = 100;
  double noise = 0.01;        // standard deviation of each side, independent, normal
  double run_effect = 0.002;  // standard deviation of the ratio from run to run
  double common = 0;          // standard deviation of AR(1) 0.9 interference on both sides
  double new_slower = 0;      // of every pair
  double slow_share = 0;      // share of the pairs in which new is slower ...
  double slow_size = 0;       // ... by this

  std::vector<RunPairs> Make(unsigned seed) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<RunPairs> experiment(runs);
    for (std::size_t r = 0; r < runs; ++r) {
      const double ratio = new_slower + run_effect * normal(engine);
      double interference = common * normal(engine);
      for (std::size_t i = 0; i < pairs; ++i) {
        const int assignment = static_cast<int>(i / 10 % 2);
        const double old_log = interference + noise * normal(engine);
        double new_log = interference + noise * normal(engine) + ratio;
        if (uniform(engine) < slow_share) new_log += slow_size;
        experiment[r].push_back({std::exp(old_log), std::exp(new_log), assignment});
        interference = 0.9 * interference + std::sqrt(1 - 0.81) * common * normal(engine);
      }
    }
    return experiment;
  }
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_
