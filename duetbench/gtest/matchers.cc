#include "duetbench/gtest/matchers.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"
#include "duetbench/report/comparison_format.h"

namespace duetbench {
namespace internal {
namespace {

using testing::MatchResultListener;

// True if an inconclusive gate counts as met.
bool HoldsUndecided(Measurement& measurement, const std::string& message) {
  switch (measurement.when_inconclusive()) {
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
  const Comparison judged = measurement.Judged(MakeSpec());
  if (measurement.passed_by()) return true;
  if (!judged.gate.has_value()) return false;  // the printed result says why
  const std::string message = measurement.Message(judged);
  *listener << "\n" << message;
  switch (judged.gate->outcome) {
    case GateOutcome::kPass:
      return true;
    case GateOutcome::kFail:
      return false;
    case GateOutcome::kInconclusive:
      break;
  }
  return HoldsUndecided(measurement, message);
}

GateSpec GateMatcher::MakeSpec() const {
  switch (kind_) {
    case GateSpec::Kind::kMaxRatio:
      return GateSpec::MaxRatio(value_);
    case GateSpec::Kind::kMinSpeedup:
      return GateSpec::MinSpeedup(value_);
    case GateSpec::Kind::kMinRatio:
    case GateSpec::Kind::kEquivalent:
      break;
  }
  return GateSpec::Equivalent(value_);
}

void GateMatcher::DescribeTo(std::ostream* stream) const {
  switch (kind_) {
    case GateSpec::Kind::kMaxRatio:
      *stream << absl::StrFormat("takes at most %g times as long as old", value_);
      return;
    case GateSpec::Kind::kMinSpeedup:
      *stream << absl::StrFormat("is at least %g times as fast as old", value_);
      return;
    case GateSpec::Kind::kMinRatio:
    case GateSpec::Kind::kEquivalent:
      *stream << absl::StrFormat("is neither slower nor faster than old by more than %g %%",
                                 100 * value_);
      return;
  }
}

void GateMatcher::DescribeNegationTo(std::ostream* stream) const {
  *stream << "is proven to violate: ";
  DescribeTo(stream);
}

bool VerdictMatcher::MatchAndExplain(const ComparisonResult& result, MatchResultListener*) const {
  const Estimate* const estimate = result.measurement().Measure().estimate();
  if (result.measurement().passed_by()) return true;
  return estimate != nullptr && estimate->verdict == verdict_;
}

void VerdictMatcher::DescribeTo(std::ostream* stream) const {
  *stream << "is " << stats::VerdictName(verdict_);
}

void VerdictMatcher::DescribeNegationTo(std::ostream* stream) const {
  *stream << "is not " << stats::VerdictName(verdict_);
}

}  // namespace internal

testing::PolymorphicMatcher<internal::GateMatcher> NotSlowerThan(double ratio) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateSpec::Kind::kMaxRatio, ratio));
}

testing::PolymorphicMatcher<internal::GateMatcher> FasterThan(double factor) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateSpec::Kind::kMinSpeedup, factor));
}

testing::PolymorphicMatcher<internal::GateMatcher> EquivalentWithin(double margin) {
  using internal::GateMatcher;
  return testing::MakePolymorphicMatcher(GateMatcher(GateSpec::Kind::kEquivalent, margin));
}

testing::PolymorphicMatcher<internal::VerdictMatcher> HasVerdict(Verdict verdict) {
  return testing::MakePolymorphicMatcher(internal::VerdictMatcher(verdict));
}

}  // namespace duetbench
