#include "duetbench/gtest/matchers.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"
#include "duetbench/registry/session.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace internal {
namespace {

using testing::MatchResultListener;

GateDemand DemandOf(GateMatcher::Demand demand, double value) {
  switch (demand) {
    case GateMatcher::Demand::kMaxRatio:
      return GateDemand::MaxRatio(value);
    case GateMatcher::Demand::kMinSpeedup:
      return GateDemand::MinSpeedup(value);
    case GateMatcher::Demand::kEquivalent:
      return GateDemand::Equivalent(value);
  }
  return {};
}

// What hinders a comparison from being judged; empty: nothing.
std::string Hindrance(const Comparison& comparison) {
  if (!comparison.error.cause.empty()) return ErrorText(comparison);
  return comparison.has_estimate ? "" : "no pair is left to compare";
}

// Whether a gate that could not be decided holds all the same.
bool HoldsUndecided(Measurement& measurement, const std::string& message) {
  switch (Session::Get().flags().inconclusive) {
    case WhenInconclusive::kFail:
      return false;
    case WhenInconclusive::kSkip:
      // Ends this function, and marks the test.
      if (measurement.FirstToTell()) [&] { GTEST_SKIP() << message; }();
      return true;
    case WhenInconclusive::kPass:
      break;
  }
  if (measurement.FirstToTell()) std::fprintf(stderr, "duetbench: %s\n", message.c_str());
  return true;
}

}  // namespace

bool GateMatcher::MatchAndExplain(const ComparisonResult& result,
                                  MatchResultListener* listener) const {
  Measurement& measurement = result.measurement();
  const Comparison judged = measurement.Judged(DemandOf(demand_, value_));
  if (measurement.passed_by()) return true;
  const std::string hindrance = Hindrance(judged);
  if (!hindrance.empty()) return false;  // the result itself says it
  const std::string message = measurement.Message(judged);
  *listener << "\n" << message;
  switch (judged.gate->outcome) {
    case stats::GateOutcome::kPass:
      return true;
    case stats::GateOutcome::kFail:
      return false;
    case stats::GateOutcome::kInconclusive:
      break;
  }
  return HoldsUndecided(measurement, message);
}

void GateMatcher::DescribeTo(std::ostream* stream) const {
  switch (demand_) {
    case Demand::kMaxRatio:
      *stream << absl::StrFormat("takes at most %g times as long as old", value_);
      return;
    case Demand::kMinSpeedup:
      *stream << absl::StrFormat("is at least %g times as fast as old", value_);
      return;
    case Demand::kEquivalent:
      *stream << absl::StrFormat("is neither slower nor faster than old by more than %g %%",
                                 100 * value_);
      return;
  }
}

void GateMatcher::DescribeNegationTo(std::ostream* stream) const {
  *stream << "is proven not to be what this demands: ";
  DescribeTo(stream);
}

bool VerdictMatcher::MatchAndExplain(const ComparisonResult& result, MatchResultListener*) const {
  const Comparison& comparison = result.measurement().Measure();
  if (result.measurement().passed_by()) return true;
  return Hindrance(comparison).empty() && comparison.verdict == verdict_;
}

void VerdictMatcher::DescribeTo(std::ostream* stream) const {
  *stream << "is " << std::string(stats::VerdictName(verdict_));
}

void VerdictMatcher::DescribeNegationTo(std::ostream* stream) const {
  *stream << "is not " << std::string(stats::VerdictName(verdict_));
}

}  // namespace internal

testing::PolymorphicMatcher<internal::GateMatcher> NotSlowerThan(double ratio) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateMatcher::Demand::kMaxRatio, ratio));
}

testing::PolymorphicMatcher<internal::GateMatcher> FasterThan(double factor) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateMatcher::Demand::kMinSpeedup, factor));
}

testing::PolymorphicMatcher<internal::GateMatcher> EquivalentWithin(double margin) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateMatcher::Demand::kEquivalent, margin));
}

testing::PolymorphicMatcher<internal::VerdictMatcher> HasVerdict(Verdict verdict) {
  return testing::MakePolymorphicMatcher(internal::VerdictMatcher(verdict));
}

}  // namespace duetbench
