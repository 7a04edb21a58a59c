#ifndef DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_
#define DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_

#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"
#include "tools/stats/compute_interval.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::stats {

// The names of the methods on the command line and in the output.
template <typename Method>
struct Named {
  const char* name;
  Method method;
};

// The intervals: that of duetbench/decide/decision.h, and those of compute_interval.h.
inline constexpr Named<IntervalKind> kIntervalKinds[] = {
    {"robust", IntervalKind::kRobust},
    {"t", IntervalKind::kT},
    {"percentile", IntervalKind::kPercentile},
    {"hier", IntervalKind::kHierarchical},
};
inline constexpr Named<Estimator> kEstimators[] = {{"trimmed", Estimator::kTrimmed},
                                                   {"geomean", Estimator::kGeomean}};
// WinsorizeRatios comes first: no or yes.
inline constexpr Named<bool> kWinsorizings[] = {{"none", false}, {"range20", true}};
inline constexpr Named<Rule> kRules[] = {
    {"duet", Rule::kDuet},   {"wilcoxon", Rule::kWilcoxon}, {"ci-overlap", Rule::kOverlap},
    {"welch", Rule::kWelch}, {"mmtests", Rule::kMmtests},   {"t", Rule::kT}};

template <typename Method, std::size_t kSize>
const char* NameOf(const Named<Method> (&table)[kSize], Method method) {
  for (const Named<Method>& named : table) {
    if (named.method == method) return named.name;
  }
  return "unknown";
}

template <typename Method, std::size_t kSize>
std::optional<Method> MethodNamed(const Named<Method> (&table)[kSize], absl::string_view name) {
  for (const Named<Method>& named : table) {
    if (named.name == name) return named.method;
  }
  return std::nullopt;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_
