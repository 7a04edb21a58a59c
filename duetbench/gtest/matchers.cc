#include "duetbench/gtest/matchers.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"
#include "gmock/gmock.h"

namespace duetbench {
namespace {

using internal::Measurement;

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

MATCHER_P2(MeetsGate, spec, demand,
           absl::StrCat(negation ? "is proven to violate: " : "", demand)) {
  Measurement& measurement = arg.measurement();
  const Facts judged = measurement.Judged(spec);
  // Without a message the printed result says why.
  if (judged.message.empty()) return measurement.passed_by();
  *result_listener << "\n" << judged.message;
  return judged.time_gate == stats::GateStatus::kInconclusive
             ? HoldsUndecided(measurement, judged.message)
             : judged.time_gate == stats::GateStatus::kPass;
}

MATCHER_P(IsVerdict, verdict,
          absl::StrCat(negation ? "is not " : "is ", stats::VerdictName(verdict))) {
  Measurement& measurement = arg.measurement();
  const Estimate* const estimate = measurement.Measure().estimate();
  return measurement.passed_by() || (estimate != nullptr && estimate->verdict == verdict);
}

}  // namespace

ComparisonMatcher NotSlowerThan(double ratio) {
  return MeetsGate(GateSpec::MaxRatio(ratio),
                   absl::StrFormat("takes at most %g times as long as old", ratio));
}

ComparisonMatcher FasterThan(double factor) {
  return MeetsGate(GateSpec::MinSpeedup(factor),
                   absl::StrFormat("is at least %g times as fast as old", factor));
}

ComparisonMatcher EquivalentWithin(double margin) {
  return MeetsGate(
      GateSpec::Equivalent(margin),
      absl::StrFormat("is neither slower nor faster than old by more than %g %%", 100 * margin));
}

ComparisonMatcher HasVerdict(Verdict verdict) { return IsVerdict(verdict); }

}  // namespace duetbench
