#include "duetbench/gtest/compare.h"

#include "duetbench/gtest/measurement.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {

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
  return measurement_->Measure().failure() != nullptr ? measurement_->facts().error : "";
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
  internal::Measurement& measurement = result.measurement();
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

}  // namespace duetbench
