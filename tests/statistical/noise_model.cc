#include "tests/statistical/noise_model.h"

#include <cmath>

namespace duetbench::stats {

NoiseModel ModelA() {
  NoiseModel model{"A"};
  model.noise_sd = 0.01;
  return model;
}

NoiseModel ModelB() {
  NoiseModel model = ModelD();
  model.name = "B";
  model.run_sd = 0.005;
  model.common = 0.03;
  return model;
}

NoiseModel ModelC() {
  NoiseModel model{"C"};
  model.shift_probability = 0.15;
  model.shift = 0.02;
  model.noise_sd = 0.03;
  model.phi = 0.9;
  model.spike_probability = 0.005;
  return model;
}

NoiseModel ModelD() {
  NoiseModel model{"D"};
  model.noise_sd = 0.02;
  model.phi = 0.5;
  model.spike_probability = 0.005;
  return model;
}

SimulatedRun Simulate(const NoiseModel& model, std::size_t iterations, Random& random) {
  Normal normal(random);
  const auto happens = [&](double probability) {
    return probability > 0 && random.Uniform() < probability;
  };
  double level = model.run_sd * normal.Next();
  if (happens(model.shift_probability)) level += model.shift;
  const double common = happens(0.5) ? model.common : -model.common;
  const double stop = 1 / model.common_length;
  const double start = stop * model.common_share / (1 - model.common_share);
  bool active = model.common != 0 && happens(model.common_share);
  const double innovation = model.noise_sd * std::sqrt(1 - model.phi * model.phi);
  double noise = model.noise_sd * normal.Next();
  SimulatedRun run;
  run.truth = level + common * (model.common != 0 ? model.common_share : 0);
  run.pairs.reserve(iterations);
  for (std::size_t i = 0; i < iterations; ++i) {
    double log_ratio = level + noise + (active ? common : 0);
    if (happens(model.spike_probability)) {
      const double spike = -model.spike_mean * std::log1p(-random.Uniform());
      log_ratio += happens(0.5) ? spike : -spike;
    }
    // The two assignments to CPUs take turns in blocks of ten iterations.
    run.pairs.push_back({1, std::exp(log_ratio), static_cast<int>(i / 10 % 2)});
    noise = model.phi * noise + innovation * normal.Next();
    if (model.common != 0 && happens(active ? stop : start)) active = !active;
  }
  return run;
}

}  // namespace duetbench::stats
