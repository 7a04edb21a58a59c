#include "tools/stats/rules/difference_of_means.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/bootstrap.h"

namespace duetbench::stats {
namespace {

std::vector<double> MeansOfRuns(const Sample& sample) {
  std::vector<double> means;
  means.reserve(sample.runs.size());
  for (const std::vector<double>& run : sample.runs) means.push_back(Mean(run));
  return means;
}

absl::Status CheckTwoRuns(const Sample& sample, const char* variant) {
  if (absl::Status status = CheckSample(sample); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(variant, ": ", status.message()));
  }
  if (sample.runs.size() >= 2) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(variant, ": the difference of means resamples runs and needs at least 2; there ",
                   "is 1 run"));
}

}  // namespace

Sample WinsorizeSample(Sample sample, OutlierRule rule) {
  for (std::vector<double>& run : sample.runs) {
    const std::optional<Outlier> outlier = FindOutlier(run, rule);
    if (outlier.has_value()) run[outlier->index] = outlier->replacement;
  }
  return sample;
}

absl::StatusOr<MeansDifference> DifferenceOfMeans(const Sample& old_times, const Sample& new_times,
                                                  double level, const Resampling& resampling,
                                                  OutlierRule winsorize) {
  if (absl::Status status = CheckTwoRuns(old_times, "old"); !status.ok()) return status;
  if (absl::Status status = CheckTwoRuns(new_times, "new"); !status.ok()) return status;
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckResampling(resampling); !status.ok()) return status;
  const Sample old_used = WinsorizeSample(old_times, winsorize);
  const Sample new_used = WinsorizeSample(new_times, winsorize);
  double sum = 0;
  std::size_t count = 0;
  for (const Sample* sample : {&old_used, &new_used}) {
    for (const std::vector<double>& run : sample->runs) {
      for (const double time : run) sum += time;
      count += run.size();
    }
  }
  const double mean = sum / static_cast<double>(count);
  const std::vector<double> old_means = MeansOfRuns(old_used);
  const std::vector<double> new_means = MeansOfRuns(new_used);
  // Two streams of one seed: each variant is resampled on its own.
  Random old_random(resampling.seed, 0);
  Random new_random(resampling.seed, 1);
  std::vector<double> replicates =
      MeanReplicates(new_means, new_means.size(), resampling.replicates, new_random);
  const std::vector<double> old_replicates =
      MeanReplicates(old_means, old_means.size(), resampling.replicates, old_random);
  for (std::size_t i = 0; i < replicates.size(); ++i) replicates[i] -= old_replicates[i];
  std::sort(replicates.begin(), replicates.end());
  const Ends ends = PercentileEnds(replicates, level);
  const double difference = Mean(new_means) - Mean(old_means);
  return MeansDifference{difference / mean, ends.lo / mean, ends.hi / mean, mean, level};
}

}  // namespace duetbench::stats
