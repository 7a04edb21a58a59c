#include "duetbench/gtest/matchers.h"

#include <cstdio>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"

namespace duetbench {
namespace {

using internal::Measurement;
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

class DemandMatcher : public testing::MatcherInterface<const ComparisonResult&> {
 public:
  // True if a comparison that was measured meets the demand.
  using Holds = std::function<bool(Measurement& measurement, MatchResultListener* listener)>;

  DemandMatcher(std::string demand, std::string negation, Holds holds)
      : demand_(std::move(demand)), negation_(std::move(negation)), holds_(std::move(holds)) {}

  bool MatchAndExplain(const ComparisonResult& result,
                       MatchResultListener* listener) const override {
    return holds_(result.measurement(), listener) || result.measurement().passed_by();
  }
  void DescribeTo(std::ostream* stream) const override { *stream << demand_; }
  void DescribeNegationTo(std::ostream* stream) const override { *stream << negation_; }

 private:
  const std::string demand_;
  const std::string negation_;
  const Holds holds_;
};

ComparisonMatcher OfGate(const GateSpec& spec, const std::string& demand) {
  return ComparisonMatcher(
      new DemandMatcher(demand, absl::StrCat("is proven to violate: ", demand),
                        [spec](Measurement& measurement, MatchResultListener* listener) {
                          const Facts judged = measurement.Judged(spec);
                          if (judged.message.empty()) return false;  // the printed result says why
                          *listener << "\n" << judged.message;
                          return judged.time_gate == stats::GateStatus::kInconclusive
                                     ? HoldsUndecided(measurement, judged.message)
                                     : judged.time_gate == stats::GateStatus::kPass;
                        }));
}

}  // namespace

ComparisonMatcher NotSlowerThan(double ratio) {
  return OfGate(GateSpec::MaxRatio(ratio),
                absl::StrFormat("takes at most %g times as long as old", ratio));
}

ComparisonMatcher FasterThan(double factor) {
  return OfGate(GateSpec::MinSpeedup(factor),
                absl::StrFormat("is at least %g times as fast as old", factor));
}

ComparisonMatcher EquivalentWithin(double margin) {
  return OfGate(
      GateSpec::Equivalent(margin),
      absl::StrFormat("is neither slower nor faster than old by more than %g %%", 100 * margin));
}

ComparisonMatcher HasVerdict(Verdict verdict) {
  const std::string name = stats::VerdictName(verdict);
  return ComparisonMatcher(new DemandMatcher(
      "is " + name, "is not " + name, [verdict](Measurement& measurement, MatchResultListener*) {
        const Estimate* const estimate = measurement.Measure().estimate();
        return estimate != nullptr && estimate->verdict == verdict;
      }));
}

}  // namespace duetbench
