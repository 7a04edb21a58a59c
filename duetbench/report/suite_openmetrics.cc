#include "duetbench/report/suite_openmetrics.h"

#include <cmath>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

std::string MetricLabel(const char* name, const std::string& value) {
  return absl::StrCat(
      name, "=\"", absl::StrReplaceAll(Printable(value), {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

std::string MetricNumber(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return std::isnan(value) ? "NaN" : absl::StrFormat("%.9g", value);
}

// The samples of the suite under one metric name after the other, as the format demands.
class MetricFamilies {
 public:
  MetricFamilies(absl::Span<const SuiteEntry> suite, const std::string& program) : suite_(suite) {
    std::map<std::string, int> repetitions;
    for (const SuiteEntry& entry : suite) {
      labels_.push_back(
          absl::StrCat(MetricLabel("program", program), ",", MetricLabel("benchmark", entry.name),
                       ",", MetricLabel("repetition", absl::StrCat(repetitions[entry.name]++))));
    }
  }

  void Begin(const std::string& name, const char* type, const char* help, const char* unit = "") {
    name_ = name;
    absl::StrAppend(&text_, "# TYPE ", name, " ", type, "\n");
    if (*unit != '\0') absl::StrAppend(&text_, "# UNIT ", name, " ", unit, "\n");
    absl::StrAppend(&text_, "# HELP ", name, " ", help, "\n");
  }

  void Add(size_t entry, double value, const std::string& label = "") {
    absl::StrAppend(&text_, name_, "{", labels_[entry], label.empty() ? "" : ",", label, "} ",
                    MetricNumber(value), "\n");
  }

  // A gauge of every estimate.
  template <class Value>
  void AddGauge(const std::string& name, const char* help, const Value& value) {
    Begin(name, "gauge", help);
    for (size_t i = 0; i < suite_.size(); ++i) {
      const Estimate* const estimate = suite_[i].comparison.estimate();
      if (estimate != nullptr) Add(i, value(*estimate));
    }
  }

  std::string End() { return text_ + "# EOF\n"; }

 private:
  const absl::Span<const SuiteEntry> suite_;
  std::vector<std::string> labels_;
  std::string name_;
  std::string text_;
};

}  // namespace

std::string SuiteOpenMetrics(absl::Span<const SuiteEntry> suite,
                             absl::Span<const GateStatus> statuses, const std::string& program) {
  MetricFamilies families(suite, program);
  families.AddGauge("duetbench_ratio", "Time of new divided by the time of old.",
                    [](const Estimate& e) { return e.interval.ratio; });
  families.AddGauge("duetbench_ratio_lower", "Lower end of the interval of the ratio.",
                    [](const Estimate& e) { return e.interval.lo; });
  families.AddGauge("duetbench_ratio_upper", "Upper end of the interval of the ratio.",
                    [](const Estimate& e) { return e.interval.hi; });
  families.AddGauge("duetbench_ratio_level", "Level of the interval of the ratio.",
                    [](const Estimate& e) { return e.interval.level; });

  families.Begin("duetbench_time_seconds", "gauge", "Time of one iteration.", "seconds");
  for (size_t i = 0; i < suite.size(); ++i) {
    const Measured* const measured = suite[i].comparison.measured();
    if (measured == nullptr) continue;
    families.Add(i, measured->time_ns[0] * 1e-9, MetricLabel("variant", "old"));
    families.Add(i, measured->time_ns[1] * 1e-9, MetricLabel("variant", "new"));
  }

  families.Begin("duetbench_verdict", "stateset", "What the interval says of new.");
  for (size_t i = 0; i < suite.size(); ++i) {
    const Estimate* const estimate = suite[i].comparison.estimate();
    if (estimate == nullptr) continue;
    for (const stats::Verdict verdict : {stats::Verdict::kFaster, stats::Verdict::kSlower,
                                         stats::Verdict::kEqual, stats::Verdict::kInconclusive}) {
      families.Add(i, estimate->verdict == verdict ? 1 : 0,
                   MetricLabel("duetbench_verdict", stats::VerdictName(verdict)));
    }
  }

  families.Begin("duetbench_gate", "stateset", "Whether the gate holds.");
  for (size_t i = 0; i < suite.size(); ++i) {
    if (!suite[i].has_gate && !suite[i].comparison.gate.has_value()) continue;
    for (const GateStatus status :
         {GateStatus::kPass, GateStatus::kFail, GateStatus::kUnproven, GateStatus::kInconclusive,
          GateStatus::kNotMeasured, GateStatus::kError}) {
      families.Add(i, statuses[i] == status ? 1 : 0,
                   MetricLabel("duetbench_gate", GateStatusName(status)));
    }
  }

  families.Begin("duetbench_error", "gauge", "1: the benchmark has no result.");
  for (size_t i = 0; i < suite.size(); ++i) {
    families.Add(i, ErrorOf(suite[i]) != nullptr ? 1 : 0);
  }
  return families.End();
}

}  // namespace duetbench
