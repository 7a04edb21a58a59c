#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/decide/diagnosis.h"
#include "duetbench/report/diagnosis_format.h"
#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

// False-positive rates of the diagnosis, on clean data. The rates are those that diagnosis.h
// states.

struct Counts {
  int experiments = 0;
  int run_drift = 0;
  int clusters = 0;
  int sentences = 0;  // experiments with any sentence

  void Add(const Diagnosis& diagnosis) {
    const auto significant = [](const std::optional<Effect>& effect) {
      return effect.has_value() && effect->significant ? 1 : 0;
    };
    ++experiments;
    run_drift += significant(diagnosis.run_drift);
    clusters += diagnosis.clusters.size() > 1 ? 1 : 0;
    sentences += Explain(diagnosis, RatioInterval{}, nullptr).empty() ? 0 : 1;
  }

  void Add(const Counts& other) {
    experiments += other.experiments;
    run_drift += other.run_drift;
    clusters += other.clusters;
    sentences += other.sentences;
  }

  void Print(const std::string& name) const {
    std::printf("%-26s %6d  drift over runs %2d  clusters %2d  any sentence %2d\n", name.c_str(),
                experiments, run_drift, clusters, sentences);
  }
};

// 3.3 standard deviations above what a rate gives in `experiments`: passed by chance in 1 of 2000.
double Bound(double rate, int experiments) {
  const double expected = rate * experiments;
  return expected + 3.3 * std::sqrt(expected) + 1;
}

TEST(DiagnosisAlarms, AreAsRareAsStated) {
  constexpr int kExperiments = 1000;  // a cell
  Counts total;
  const auto cell = [&](const std::string& name,
                        const std::function<std::vector<RunPairs>(unsigned)>& make) {
    Counts counts;
    for (unsigned seed = 1; seed <= kExperiments; ++seed) counts.Add(*Diagnose(make(seed)));
    counts.Print(name);
    total.Add(counts);
  };

  for (const std::size_t runs : {5u, 10u, 30u}) {
    for (const bool heavy_tails : {false, true}) {
      for (const double spikes : {0.0, 0.02}) {
        SyntheticRuns synthetic;
        synthetic.runs = runs;
        synthetic.pairs = runs == 30 ? 50 : 100;
        synthetic.heavy_tails = heavy_tails;
        synthetic.spikes = spikes;
        cell(std::to_string(runs) + " runs" + (heavy_tails ? ", heavy tails" : "") +
                 (spikes > 0 ? ", spikes" : ""),
             [&](unsigned seed) { return synthetic.Make(seed); });
      }
    }
  }
  for (const NoiseModel& model : {ModelA(), ModelB(), ModelC(), ModelD()}) {
    for (const std::size_t runs : {10u, 30u}) {
      cell(std::to_string(runs) + " runs, model " + model.name, [&](unsigned seed) {
        Random random(seed, runs);
        std::vector<RunPairs> experiment;
        for (std::size_t r = 0; r < runs; ++r) {
          experiment.push_back(Simulate(model, 100, random).pairs);
        }
        return experiment;
      });
    }
  }
  total.Print("all");
  EXPECT_LE(total.run_drift, Bound(0.001, total.experiments));
  EXPECT_LE(total.clusters, Bound(0.001, total.experiments));
  EXPECT_LE(total.sentences, Bound(0.003, total.experiments));
}

}  // namespace
}  // namespace duetbench::stats
