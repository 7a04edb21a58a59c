#include "duetbench/stats/interval.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "boost/math/distributions/students_t.hpp"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

struct NamedKind {
  IntervalKind kind;
  const char* name;
};

constexpr NamedKind kKinds[] = {
    {IntervalKind::kT, "t"},
    {IntervalKind::kPercentile, "percentile"},
    {IntervalKind::kExpanded, "expanded"},
    {IntervalKind::kNMinus1, "n-1"},
    {IntervalKind::kBasic, "basic"},
    {IntervalKind::kBca, "bca"},
    {IntervalKind::kBootT, "boot-t"},
    {IntervalKind::kHodgesLehmann, "hl"},
    {IntervalKind::kHierarchical, "hier"},
    {IntervalKind::kAnytime, "anytime"},
    {IntervalKind::kEwc, "ewc"},
};

}  // namespace

absl::string_view IntervalKindName(IntervalKind kind) {
  for (const NamedKind& named : kKinds) {
    if (named.kind == kind) return named.name;
  }
  return "unknown";
}

absl::StatusOr<IntervalKind> ParseIntervalKind(absl::string_view name) {
  std::string known;
  for (const NamedKind& named : kKinds) {
    if (named.name == name) return named.kind;
    absl::StrAppend(&known, known.empty() ? "" : ", ", named.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown interval kind '", name, "': use one of ", known));
}

absl::Status CheckLevel(double level) {
  if (level > 0 && level < 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the level must lie between 0 and 1, for example 0.99; got ", level));
}

absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least) {
  if (run_log_ratios.size() < least) {
    return absl::InvalidArgumentError(absl::StrCat(
        "this kind of interval needs at least ", least, " runs, got ", run_log_ratios.size(),
        run_log_ratios.size() == 1 ? ": use the kind 'ewc' for a single run" : ""));
  }
  for (std::size_t r = 0; r < run_log_ratios.size(); ++r) {
    if (!std::isfinite(run_log_ratios[r])) {
      return absl::InvalidArgumentError(
          absl::StrCat("run ", r, ": the log-ratio is ", run_log_ratios[r]));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level) {
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (absl::Status status = CheckRunValues(run_log_ratios, 2); !status.ok()) return status;
  const auto n = static_cast<double>(run_log_ratios.size());
  const double mean = Mean(run_log_ratios);
  const double s = StandardDeviation(run_log_ratios);
  const double t = boost::math::quantile(
      boost::math::complement(boost::math::students_t(n - 1), (1 - level) / 2));
  const double half_width = t * s / std::sqrt(n);
  return RatioInterval{std::exp(mean),
                       std::exp(mean - half_width),
                       std::exp(mean + half_width),
                       level,
                       IntervalKind::kT,
                       ""};
}

}  // namespace duetbench::stats
