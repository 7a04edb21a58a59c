#include "tools/stats/pairing_gain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMaxPairs = 1 << 17;
constexpr std::size_t kWork = 100000;  // pairs to shuffle in all, if that is enough shuffles

// The pairs of one stratum of a run, as logarithms.
struct Stratum {
  std::vector<double> old_logs;
  std::vector<double> new_logs;
};

using RunStrata = std::vector<Stratum>;  // by StratumOf, as many in all runs

// The estimator kTrimmed of one run.
double TrimmedLogRatio(const RunStrata& strata) {
  double sum = 0;
  int present = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.old_logs.empty()) continue;
    std::vector<double> ratios(stratum.old_logs.size());
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      ratios[i] = stratum.new_logs[i] - stratum.old_logs[i];
    }
    sum += TrimmedMean(std::move(ratios), kTrimFraction);
    ++present;
  }
  return sum / present;
}

// Variance of the run values; the width of the t interval is proportional to its root.
double RunVariance(const std::vector<RunStrata>& runs) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const RunStrata& run : runs) values.push_back(TrimmedLogRatio(run));
  return Variance(values);
}

using Times = std::vector<double> Stratum::*;

void ShuffleWithinRuns(std::vector<RunStrata>& runs, Times times, Random& random) {
  for (RunStrata& run : runs) {
    for (Stratum& stratum : run) random.Shuffle(stratum.*times);
  }
}

void ShuffleAcrossRuns(std::vector<RunStrata>& runs, Times times, Random& random) {
  for (std::size_t s = 0; s < runs[0].size(); ++s) {
    std::vector<double> deck;
    for (const RunStrata& run : runs) {
      const std::vector<double>& hand = run[s].*times;
      deck.insert(deck.end(), hand.begin(), hand.end());
    }
    random.Shuffle(deck);
    auto next = deck.begin();
    for (RunStrata& run : runs) {
      std::vector<double>& hand = run[s].*times;
      std::copy_n(next, hand.size(), hand.begin());
      next += static_cast<std::ptrdiff_t>(hand.size());
    }
  }
}

}  // namespace

std::optional<PairingGain> ComputePairingGain(absl::Span<const RunPairs> runs, std::uint64_t seed) {
  if (runs.size() < 2) return std::nullopt;
  std::size_t pairs = 0;
  for (const RunPairs& run : runs) pairs += run.size();
  Require(pairs > 0, "ComputePairingGain: no pairs");
  const std::size_t stride = 1 + pairs / kMaxPairs;
  std::size_t count = 0;
  for (const RunPairs& run : runs) {
    for (const Pair& pair : run) count = std::max(count, StratumOf(pair) + 1);
  }
  std::vector<RunStrata> strata(runs.size(), RunStrata(count));
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < runs[r].size(); i += stride) {
      const Pair& pair = runs[r][i];
      Stratum& stratum = strata[r][StratumOf(pair)];
      stratum.old_logs.push_back(std::log(pair.old_time));
      stratum.new_logs.push_back(std::log(pair.new_time));
    }
  }
  const double paired = RunVariance(strata);
  if (!(paired > kRounding * kRounding)) return std::nullopt;

  Random random(seed);
  const std::size_t shuffles = std::clamp<std::size_t>(kWork / pairs, 4, 16);
  PairingGain variance{0, 0};
  for (std::size_t shuffle = 0; shuffle < shuffles; ++shuffle) {
    const Times times = shuffle % 2 == 0 ? &Stratum::new_logs : &Stratum::old_logs;
    std::vector<RunStrata> shuffled = strata;
    ShuffleWithinRuns(shuffled, times, random);
    variance.within += RunVariance(shuffled);
    ShuffleAcrossRuns(shuffled, times, random);
    variance.all += RunVariance(shuffled);
  }
  const double scale = 1 / (paired * static_cast<double>(shuffles));
  return PairingGain{std::sqrt(variance.within * scale), std::sqrt(variance.all * scale)};
}

}  // namespace duetbench::stats
