#include "duetbench/gtest/compare.h"

#include <limits>

#include "duetbench/gtest/measurement.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

std::map<std::string, double> CountersOf(const VariantReport& report) {
  std::map<std::string, double> counters;
  for (const CounterValue& counter : report.counters) counters[counter.name] = counter.value;
  return counters;
}

std::vector<std::string> WarningsOf(const Comparison& comparison) {
  std::vector<std::string> warnings = comparison.notices;
  warnings.insert(warnings.end(), comparison.explanations.begin(), comparison.explanations.end());
  return warnings;
}

}  // namespace

ComparisonResult::ComparisonResult(std::shared_ptr<internal::Measurement> measurement)
    : measurement_(std::move(measurement)) {}

ComparisonResult::ComparisonResult(const ComparisonResult& other)
    : measurement_(other.measurement_) {
  measurement_->Measure();
}

ComparisonResult& ComparisonResult::operator=(const ComparisonResult& other) {
  if (this == &other) return *this;
  other.measurement_->Measure();
  measurement_ = other.measurement_;
  return *this;
}

ComparisonResult::~ComparisonResult() = default;

std::string ComparisonResult::error() const {
  const Comparison& comparison = measurement_->Measure();
  return comparison.error.cause.empty() ? "" : ErrorText(comparison);
}

double ComparisonResult::ratio() const {
  const Comparison& comparison = measurement_->Measure();
  return comparison.has_estimate ? comparison.interval.ratio : 1;
}

double ComparisonResult::lo() const {
  const Comparison& comparison = measurement_->Measure();
  return comparison.has_estimate ? comparison.interval.lo : 0;
}

double ComparisonResult::hi() const {
  const Comparison& comparison = measurement_->Measure();
  return comparison.has_estimate ? comparison.interval.hi : std::numeric_limits<double>::infinity();
}

double ComparisonResult::level() const { return measurement_->Measure().interval.level; }
Verdict ComparisonResult::verdict() const { return measurement_->Measure().verdict; }
double ComparisonResult::old_time_ns() const { return measurement_->Measure().time_ns[0]; }
double ComparisonResult::new_time_ns() const { return measurement_->Measure().time_ns[1]; }
int ComparisonResult::runs() const { return measurement_->Measure().runs; }
uint64_t ComparisonResult::pairs() const { return measurement_->Measure().pairs; }
uint64_t ComparisonResult::dropped() const { return measurement_->Measure().dropped; }

std::map<std::string, double> ComparisonResult::old_counters() const {
  return CountersOf(measurement_->Measure().variants[0]);
}

std::map<std::string, double> ComparisonResult::new_counters() const {
  return CountersOf(measurement_->Measure().variants[1]);
}

std::vector<std::string> ComparisonResult::warnings() const {
  return WarningsOf(measurement_->Measure());
}

std::ostream& operator<<(std::ostream& stream, const ComparisonResult& result) {
  internal::Measurement& measurement = result.measurement();
  if (!measurement.measured()) return stream << "not measured yet";
  if (measurement.passed_by()) return stream << "not measured in this process of another run";
  const Comparison& comparison = measurement.Measure();
  if (!comparison.error.cause.empty()) return stream << ErrorText(comparison);
  if (!comparison.has_estimate) return stream << "no pair is left to compare";
  // Of a gate the matchers say more.
  Comparison ungated = comparison;
  ungated.gate.reset();
  stream << RatioText(comparison.interval) << " " << IntervalText(comparison.interval) << " "
         << VerdictSentence(ungated) << " (" << EffortText(comparison) << ")";
  for (const std::string& warning : WarningsOf(comparison)) stream << "\n  " << warning;
  return stream;
}

PendingComparison::PendingComparison(std::shared_ptr<internal::Measurement> measurement)
    : ComparisonResult(std::move(measurement)) {}

namespace internal {

PendingComparison MakeComparison(std::shared_ptr<const Variant> old_variant,
                                 std::shared_ptr<const Variant> new_variant,
                                 const CompareOptions& options) {
  DuetFunctions functions;
  functions.variants[0] = std::move(old_variant);
  functions.variants[1] = std::move(new_variant);
  return PendingComparison(std::make_shared<Measurement>(std::move(functions), options));
}

}  // namespace internal
}  // namespace duetbench
