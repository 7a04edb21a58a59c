#ifndef DUETBENCH_TESTS_STATISTICAL_NOISE_MODEL_H_
#define DUETBENCH_TESTS_STATISTICAL_NOISE_MODEL_H_

#include <cmath>
#include <cstddef>
#include <vector>

#include "duetbench/stats/pairs.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {

// Disturbance of the log-ratio of the pairs of an A/A comparison; the sum of:
//   - a run effect, N(0, run_sd^2), and with probability shift_probability another `shift` (memory
//     layout, huge pages: what a process keeps for its life);
//   - noise of standard deviation noise_sd, AR(1) with parameter phi;
//   - with probability spike_probability a spike on one of the two sides, exponential of mean
//     spike_mean;
//   - while a neighbor is active (a two-state Markov chain, active for a share of common_share,
//     for common_length iterations at a time), `common`, for this run on a side chosen at random:
//     interference hits both sides, but not equally.
// All but `shift` are symmetric about 0, so 0 is the truth for every estimator.
struct NoiseModel {
  const char* name;
  double run_sd = 0;
  double shift_probability = 0;
  double shift = 0;
  double noise_sd = 0;
  double phi = 0;
  double spike_probability = 0;
  double spike_mean = 0.2;
  double common = 0;
  double common_share = 0.1;
  double common_length = 20;

  // Expected log-ratio of a process drawn at random.
  double Truth() const { return shift_probability * shift; }
};

// Independent noise of 1 %.
NoiseModel ModelA();
// A virtual machine: run effect 0.5 %, AR(1) 0.5 with 2 % noise, 0.5 % spikes, common interference
// that hits the sides 3 % unequally.
NoiseModel ModelB();
// Hard: 15 % of the runs shifted by 2 %, AR(1) 0.9 with 3 % noise, 0.5 % spikes.
NoiseModel ModelC();
// B without run effect and common interference.
NoiseModel ModelD();

// Standard normal numbers (Marsaglia's polar method), portable like Random.
class Normal {
 public:
  explicit Normal(Random& random) : random_(random) {}
  double Next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * random_.Uniform() - 1;
      y = 2 * random_.Uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * factor;
    has_spare_ = true;
    return x * factor;
  }

 private:
  Random& random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

struct SimulatedRun {
  RunPairs pairs;
  double truth;  // expected log-ratio of this very process
};

SimulatedRun Simulate(const NoiseModel& model, std::size_t iterations, Random& random);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATISTICAL_NOISE_MODEL_H_
