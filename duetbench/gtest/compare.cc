#include "duetbench/gtest/compare.h"

#include <limits>

#include "duetbench/gtest/measurement.h"
#include "duetbench/report/comparison_format.h"

namespace duetbench {
namespace {

std::map<std::string, double> CountersOf(const VariantReport& report) {
  std::map<std::string, double> counters;
  for (const CounterValue& counter : report.counters) counters[counter.name] = counter.value;
  return counters;
}

std::vector<std::string> WarningsOf(const Comparison& comparison) {
  std::vector<std::string> warnings;
  for (const Notice& notice : comparison.notices) warnings.push_back(NoticeText(notice));
  if (const Estimate* const estimate = comparison.estimate()) {
    for (std::string& line : ExplanationLines(*estimate)) warnings.push_back(std::move(line));
  }
  return warnings;
}

// Measures. Without an estimate: one that says nothing, with a ratio of 1 and no bounds.
const Estimate& EstimateOf(internal::Measurement& measurement) {
  static const auto* const nothing = [] {
    auto* const estimate = new Estimate;
    estimate->interval.ratio = 1;
    estimate->interval.hi = std::numeric_limits<double>::infinity();
    return estimate;
  }();
  const Estimate* const estimate = measurement.Measure().estimate();
  return estimate != nullptr ? *estimate : *nothing;
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
  const Failure* const failure = measurement_->Measure().failure();
  return failure == nullptr || failure->error.cause.empty() ? "" : ErrorText(*failure);
}

double ComparisonResult::ratio() const { return EstimateOf(*measurement_).interval.ratio; }
double ComparisonResult::lo() const { return EstimateOf(*measurement_).interval.lo; }
double ComparisonResult::hi() const { return EstimateOf(*measurement_).interval.hi; }
double ComparisonResult::level() const { return EstimateOf(*measurement_).interval.level; }
Verdict ComparisonResult::verdict() const { return EstimateOf(*measurement_).verdict; }
double ComparisonResult::old_time_ns() const { return EstimateOf(*measurement_).time_ns[0]; }
double ComparisonResult::new_time_ns() const { return EstimateOf(*measurement_).time_ns[1]; }
int ComparisonResult::runs() const { return EstimateOf(*measurement_).runs; }
uint64_t ComparisonResult::pairs() const { return EstimateOf(*measurement_).pairs; }
uint64_t ComparisonResult::dropped() const { return EstimateOf(*measurement_).dropped; }

std::map<std::string, double> ComparisonResult::old_counters() const {
  return CountersOf(EstimateOf(*measurement_).variants[0]);
}

std::map<std::string, double> ComparisonResult::new_counters() const {
  return CountersOf(EstimateOf(*measurement_).variants[1]);
}

std::vector<std::string> ComparisonResult::warnings() const {
  return WarningsOf(measurement_->Measure());
}

std::ostream& operator<<(std::ostream& stream, const ComparisonResult& result) {
  internal::Measurement& measurement = result.measurement();
  if (!measurement.measured()) return stream << "not measured yet";
  if (measurement.passed_by()) return stream << "not measured in this process of another run";
  const Comparison& comparison = measurement.Measure();
  if (const Failure* const failure = comparison.failure()) return stream << ErrorText(*failure);
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return stream << VerdictSentence(comparison);
  // The messages of the matchers describe the gate.
  stream << RatioText(estimate->interval) << " " << IntervalText(estimate->interval) << " "
         << VerdictSentence(estimate->interval, estimate->verdict, estimate->margin,
                            SentenceNames(comparison))
         << " (" << EffortText(*estimate) << ")";
  for (const std::string& warning : WarningsOf(comparison)) stream << "\n  " << warning;
  return stream;
}

PendingComparison::PendingComparison(std::shared_ptr<internal::Measurement> measurement)
    : ComparisonResult(std::move(measurement)) {}

namespace internal {

PendingComparison MakeComparison(std::shared_ptr<const Variant> old_variant,
                                 std::shared_ptr<const Variant> new_variant,
                                 const CompareOptions& options, const VariantNames& names) {
  DuetFunctions functions;
  functions.variants[0] = std::move(old_variant);
  functions.variants[1] = std::move(new_variant);
  return PendingComparison(std::make_shared<Measurement>(std::move(functions), options, names));
}

}  // namespace internal
}  // namespace duetbench
