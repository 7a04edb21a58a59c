#include "duetbench/decide/interim_analysis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/interval.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {

int AnalysisRuns(int k) {
  Require(k >= 0, "analyses are numbered from 0");
  int64_t runs = kDecision.first_runs;
  for (int i = 0; i < k && runs < std::numeric_limits<int>::max(); ++i) {
    runs += (runs + 1) / 2;
  }
  runs += runs % 2;
  return static_cast<int>(std::min<int64_t>(runs, std::numeric_limits<int>::max()));
}

double AnalysisShare(int k) {
  Require(k >= 0, "analyses are numbered from 0");
  constexpr int kEqual = kDecision.equal_shares;
  constexpr double kShare = (1 - kDecision.final_share) / (kEqual + 1);
  return k < kEqual ? kShare : std::ldexp(kShare, kEqual - 1 - k);
}

double AnalysisPValue(absl::Span<const double> run_log_ratios, double lo, double hi, double share) {
  Require(CheckRunValues(run_log_ratios, 2).ok(), "a p-value needs two finite run values");
  const auto n = static_cast<double>(run_log_ratios.size());
  return TailPValue(Mean(run_log_ratios), StandardDeviation(run_log_ratios) / std::sqrt(n), n - 1,
                    lo, hi, share);
}

double TailPValue(double log_ratio, double error, double degrees_of_freedom, double lo, double hi,
                  double share) {
  Require(lo >= 0 && lo <= hi, "the allowed ratios are a range");
  Require(share > 0 && share <= 1, "the share of an analysis lies in (0, 1]");
  const double distance = std::max(log_ratio - std::log(hi), std::log(lo) - log_ratio);
  if (!(distance > 0)) return 1;
  if (error == 0) return 0;
  const double tail = StudentsTTail(degrees_of_freedom, distance / error);
  return std::min(1.0, 2 * tail / share);
}

double LeastSpread(std::size_t runs) { return runs < kManyRuns ? kDecision.min_spread : 0; }

bool MayPassEarly(double log_ratio, std::size_t runs, double lo, double hi) {
  if (runs >= kManyRuns) return true;
  return std::min(std::log(hi) - log_ratio, log_ratio - std::log(lo)) >=
         kDecision.spreads_to_pass * LeastSpread(runs);
}

}  // namespace duetbench::stats
