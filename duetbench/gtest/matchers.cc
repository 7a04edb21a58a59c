#include "duetbench/gtest/matchers.h"

#include <cstdio>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"
#include "duetbench/record/gate_spec.h"

namespace duetbench {
namespace {

using testing::MatchResultListener;

// True if an inconclusive gate counts as met.
bool HoldsUndecided(internal::Measurement& measurement, const std::string& message) {
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

class GateMatcher : public testing::MatcherInterface<const ComparisonResult&> {
 public:
  GateMatcher(const GateSpec& spec, std::string demand) : spec_(spec), demand_(std::move(demand)) {}

  bool MatchAndExplain(const ComparisonResult& result,
                       MatchResultListener* listener) const override {
    internal::Measurement& measurement = result.measurement();
    const Comparison judged = measurement.Judged(spec_);
    if (measurement.passed_by()) return true;
    if (judged.estimate() == nullptr) return false;  // the printed result says why
    const std::string message = measurement.Message(judged);
    *listener << "\n" << message;
    const stats::GateStatus outcome = judged.estimate()->time_gate()->outcome;
    return outcome == stats::GateStatus::kInconclusive ? HoldsUndecided(measurement, message)
                                                       : outcome == stats::GateStatus::kPass;
  }
  void DescribeTo(std::ostream* stream) const override { *stream << demand_; }
  void DescribeNegationTo(std::ostream* stream) const override {
    *stream << "is proven to violate: " << demand_;
  }

 private:
  const GateSpec spec_;
  const std::string demand_;
};

class VerdictMatcher : public testing::MatcherInterface<const ComparisonResult&> {
 public:
  explicit VerdictMatcher(Verdict verdict) : verdict_(verdict) {}

  bool MatchAndExplain(const ComparisonResult& result, MatchResultListener*) const override {
    const Estimate* const estimate = result.measurement().Measure().estimate();
    if (result.measurement().passed_by()) return true;
    return estimate != nullptr && estimate->verdict == verdict_;
  }
  void DescribeTo(std::ostream* stream) const override {
    *stream << "is " << stats::VerdictName(verdict_);
  }
  void DescribeNegationTo(std::ostream* stream) const override {
    *stream << "is not " << stats::VerdictName(verdict_);
  }

 private:
  const Verdict verdict_;
};

}  // namespace

ComparisonMatcher NotSlowerThan(double ratio) {
  return ComparisonMatcher(new GateMatcher(
      GateSpec::MaxRatio(ratio), absl::StrFormat("takes at most %g times as long as old", ratio)));
}

ComparisonMatcher FasterThan(double factor) {
  return ComparisonMatcher(
      new GateMatcher(GateSpec::MinSpeedup(factor),
                      absl::StrFormat("is at least %g times as fast as old", factor)));
}

ComparisonMatcher EquivalentWithin(double margin) {
  return ComparisonMatcher(new GateMatcher(
      GateSpec::Equivalent(margin),
      absl::StrFormat("is neither slower nor faster than old by more than %g %%", 100 * margin)));
}

ComparisonMatcher HasVerdict(Verdict verdict) {
  return ComparisonMatcher(new VerdictMatcher(verdict));
}

}  // namespace duetbench
