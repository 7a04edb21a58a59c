#ifndef DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_
#define DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// An A/A experiment with what is planted in it; every size is one of ln(time). The assignments take
// turns in blocks of ten pairs.
struct SyntheticRuns {
  std::size_t runs = 10;
  std::size_t pairs = 100;
  double noise = 0.01;           // standard deviation of each side, independent, normal
  double run_effect = 0.002;     // standard deviation of the ratio from run to run
  bool heavy_tails = false;      // run effects are t with 3 degrees of freedom, not normal
  double common = 0;             // standard deviation of AR(1) 0.9 interference on both sides
  double spikes = 0;             // share of pairs with a spike of mean 0.5 on one side
  double new_slower = 0;         // of every pair
  double slow_share = 0;         // share of the pairs in which new is slower ...
  double slow_size = 0;          // ... by this
  std::size_t shifted_runs = 0;  // this number of runs, spread among the others, are slower ...
  double shift = 0;              // ... by this
  double second_cpu_slower = 0;  // which runs old under assignment 0 and new under assignment 1
  double run_drift = 0;          // of the ratio from the first to the last run

  std::vector<RunPairs> Make(unsigned seed) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::exponential_distribution<double> exponential(2);
    std::uniform_real_distribution<double> uniform;
    std::vector<RunPairs> experiment(runs);
    for (std::size_t r = 0; r < runs; ++r) {
      double ratio = new_slower + run_effect * (heavy_tails ? heavy(engine) : normal(engine));
      // Every (runs / shifted_runs)-th.
      if ((r + 1) * shifted_runs / runs != r * shifted_runs / runs) ratio += shift;
      if (runs > 1) ratio += run_drift * static_cast<double>(r) / static_cast<double>(runs - 1);
      double interference = common * normal(engine);
      for (std::size_t i = 0; i < pairs; ++i) {
        const int assignment = static_cast<int>(i / 10 % 2);
        double old_log = interference + noise * normal(engine);
        double new_log = interference + noise * normal(engine) + ratio;
        if (uniform(engine) < slow_share) new_log += slow_size;
        if (uniform(engine) < spikes) {
          (uniform(engine) < 0.5 ? old_log : new_log) += exponential(engine);
        }
        (assignment == 0 ? old_log : new_log) += second_cpu_slower;
        experiment[r].push_back({std::exp(old_log), std::exp(new_log), assignment});
        interference = 0.9 * interference + std::sqrt(1 - 0.81) * common * normal(engine);
      }
    }
    return experiment;
  }
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_DECIDE_SYNTHETIC_RUNS_H_
