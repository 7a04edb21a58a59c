#include "tools/stats/method_names.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"

namespace duetbench::stats {
namespace {

template <typename Method>
struct Named {
  Method method;
  const char* name;
};

constexpr Named<IntervalKind> kKinds[] = {
    {IntervalKind::kRobust, "robust"},
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

constexpr Named<Estimator> kEstimators[] = {{Estimator::kTrimmed, "trimmed"},
                                            {Estimator::kGeomean, "geomean"},
                                            {Estimator::kMedian, "median"}};

constexpr Named<OutlierRule> kOutlierRules[] = {{OutlierRule::kNone, "none"},
                                                {OutlierRule::kRange20, "range20"},
                                                {OutlierRule::kValue20, "value20"}};

template <typename Method, std::size_t kSize>
absl::string_view NameOf(Method method, const Named<Method> (&table)[kSize]) {
  for (const Named<Method>& named : table) {
    if (named.method == method) return named.name;
  }
  return "unknown";
}

template <typename Method, std::size_t kSize>
absl::StatusOr<Method> Parse(absl::string_view name, absl::string_view what,
                             const Named<Method> (&table)[kSize]) {
  std::string known;
  for (const Named<Method>& named : table) {
    if (named.name == name) return named.method;
    absl::StrAppend(&known, known.empty() ? "" : ", ", named.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown ", what, " '", name, "': use one of ", known));
}

}  // namespace

absl::string_view IntervalKindName(IntervalKind kind) { return NameOf(kind, kKinds); }

absl::StatusOr<IntervalKind> ParseIntervalKind(absl::string_view name) {
  return Parse(name, "interval kind", kKinds);
}

absl::string_view EstimatorName(Estimator estimator) { return NameOf(estimator, kEstimators); }

absl::StatusOr<Estimator> ParseEstimator(absl::string_view name) {
  return Parse(name, "estimator", kEstimators);
}

absl::string_view OutlierRuleName(OutlierRule rule) { return NameOf(rule, kOutlierRules); }

absl::StatusOr<OutlierRule> ParseOutlierRule(absl::string_view name) {
  return Parse(name, "outlier rule", kOutlierRules);
}

}  // namespace duetbench::stats
