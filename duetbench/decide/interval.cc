#include "duetbench/decide/interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {

RatioInterval PointInterval(double ratio) { return {ratio, ratio, ratio, 1}; }

Verdict Decide(const RatioInterval& interval, double margin) {
  Require(margin >= 0, "the margin of a verdict is not negative");
  if (interval.lo >= 1 / (1 + margin) && interval.hi <= 1 + margin) return Verdict::kEqual;
  if (interval.lo > 1 && interval.hi > 1) return Verdict::kSlower;
  if (interval.lo < 1 && interval.hi < 1) return Verdict::kFaster;
  return Verdict::kInconclusive;
}

double TwoSidedT(double alpha, double degrees_of_freedom) {
  return StudentsTQuantile(degrees_of_freedom, alpha / 2);
}

absl::Status CheckLevel(double level) {
  if (level > 0 && level < 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the level must lie between 0 and 1, for example 0.99; got ", level));
}

absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least) {
  if (run_log_ratios.size() < least) {
    return absl::InvalidArgumentError(absl::StrCat("this kind of interval needs at least ", least,
                                                   " runs, got ", run_log_ratios.size()));
  }
  for (std::size_t r = 0; r < run_log_ratios.size(); ++r) {
    if (!std::isfinite(run_log_ratios[r])) {
      return absl::InvalidArgumentError(
          absl::StrCat("run ", r, ": the log-ratio is ", run_log_ratios[r]));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level,
                                        double share) {
  Require(share > 0 && share <= 1, "the share of an analysis lies in (0, 1]");
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const auto n = static_cast<double>(run_log_ratios.size());
  const double mean = Mean(run_log_ratios);
  const double s = StandardDeviation(run_log_ratios);
  const double half_width = TwoSidedT((1 - level) * share, n - 1) * s / std::sqrt(n);
  return RatioInterval{std::exp(mean), std::exp(mean - half_width), std::exp(mean + half_width),
                       level};
}

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
