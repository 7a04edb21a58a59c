#include "duetbench/gtest/compare.h"

#include <cstdio>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/gtest/measurement.h"
#include "duetbench/report/text.h"
#include "gmock/gmock.h"

namespace duetbench {

using internal::Measurement;

PendingComparison Compare(const AnyVariant& old_variant, const AnyVariant& new_variant,
                          const CompareOptions& options) {
  DuetFunctions functions;
  functions.variants = {old_variant.variant, new_variant.variant};
  return PendingComparison(std::make_shared<Measurement>(std::move(functions), options));
}

ComparisonResult::ComparisonResult(const ComparisonResult& other)
    : measurement_(other.measurement_) {
  measurement_->Measure();
}

ComparisonResult& ComparisonResult::operator=(const ComparisonResult& other) {
  other.measurement_->Measure();
  measurement_ = other.measurement_;
  return *this;
}

std::string ComparisonResult::error() const {
  return measurement_->Measure().has_failed() ? measurement_->facts().error : "";
}

double ComparisonResult::ratio() const { return measurement_->facts().interval.ratio; }
double ComparisonResult::lo() const { return measurement_->facts().interval.lo; }
double ComparisonResult::hi() const { return measurement_->facts().interval.hi; }
Verdict ComparisonResult::verdict() const { return measurement_->facts().verdict; }
double ComparisonResult::old_time_ns() const { return measurement_->facts().time_ns[0]; }
double ComparisonResult::new_time_ns() const { return measurement_->facts().time_ns[1]; }
std::map<std::string, double> ComparisonResult::numbers() const {
  return measurement_->facts().numbers;
}

std::vector<std::string> ComparisonResult::warnings() const {
  const Facts facts = measurement_->facts();
  std::vector<std::string> warnings;
  for (const Facts::Notice& notice : facts.notices) warnings.push_back(notice.text);
  warnings.insert(warnings.end(), facts.diagnosis.begin(), facts.diagnosis.end());
  return warnings;
}

std::ostream& operator<<(std::ostream& stream, const ComparisonResult& result) {
  Measurement& measurement = result.measurement();
  if (!measurement.measured()) return stream << "not measured yet";
  if (measurement.passed_by()) return stream << "not measured in this process of another run";
  const Facts facts = measurement.facts();
  if (!facts.error.empty()) return stream << facts.error;
  // The messages of the matchers describe the gate.
  stream << RatioText(facts.interval) << " " << IntervalText(facts.interval) << " "
         << facts.sentence << " (" << facts.effort << ")";
  for (const std::string& warning : result.warnings()) stream << "\n  " << warning;
  return stream;
}

namespace {

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
  return judged.time_gate == GateStatus::kInconclusive ? HoldsUndecided(measurement, judged.message)
                                                       : judged.time_gate == GateStatus::kPass;
}

MATCHER_P(IsVerdict, verdict,
          absl::StrCat(negation ? "is not " : "is ", stats::VerdictName(verdict))) {
  Measurement& measurement = arg.measurement();
  const Comparison& comparison = measurement.Measure();
  return measurement.passed_by() || (comparison.has_ratio() && comparison.verdict == verdict);
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

struct DuetTest::Case {
  const char* file;
  int line;
  AnyVariant variants[2];
  CompareOptions options = {};
  std::vector<ComparisonMatcher> demands = {};

  void Judge() const {
    const testing::ScopedTrace place(file, line, "DUET_TEST");
    const PendingComparison result = Compare(variants[0], variants[1], options);
    for (const ComparisonMatcher& demand : demands) EXPECT_THAT(result, demand);
    if (!demands.empty()) return;
    EXPECT_EQ(result.error(), "");
    std::cout << result << "\n";
  }
};

DuetTest::DuetTest(const char* suite, const char* name, const char* file, int line,
                   const AnyVariant& old_variant, const AnyVariant& new_variant)
    : case_(std::make_shared<Case>(Case{file, line, {old_variant, new_variant}})) {
  struct Body : testing::Test {
    explicit Body(std::shared_ptr<const Case> duet) : duet(std::move(duet)) {}
    void TestBody() override { duet->Judge(); }
    const std::shared_ptr<const Case> duet;
  };
  // The fixture class is that of TEST, so that both can be in one suite. The chain completes the
  // case later.
  testing::RegisterTest(suite, name, nullptr, nullptr, file, line,
                        [duet = case_]() -> testing::Test* { return new Body(duet); });
}

DuetTest& DuetTest::Demand(const ComparisonMatcher& demand) {
  case_->demands.push_back(demand);
  return *this;
}

DuetTest& DuetTest::With(const CompareOptions& options) {
  case_->options = options;
  return *this;
}

}  // namespace duetbench
