#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "duetbench/estimate/pool_repetitions.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/printable.h"
#include "duetbench/suite_report/suite_formats.h"

namespace duetbench {
namespace {

using BmfJson = nlohmann::ordered_json;

BmfJson Metric(double value, double lo, double hi) {
  BmfJson metric = {{"value", value}};
  if (std::isfinite(lo)) metric["lower_value"] = lo;
  if (std::isfinite(hi)) metric["upper_value"] = hi;
  return metric;
}

BmfJson TimeMetric(double value, const std::vector<double>& run_logs, double level) {
  const absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(run_logs, level);
  if (!interval.ok()) return Metric(value, NAN, NAN);
  // The value is a mean of all pairs, the interval one of runs, each with the same weight.
  return Metric(value, std::min(interval->lo, value), std::max(interval->hi, value));
}

// The repetitions of a benchmark.
struct NamedEntries {
  std::string name;
  std::vector<const SuiteEntry*> entries;
};

std::vector<NamedEntries> ByName(absl::Span<const SuiteEntry> suite) {
  std::vector<NamedEntries> groups;
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.estimate() == nullptr) continue;
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const NamedEntries& group) {
      return group.name == entry.name;
    });
    if (known != groups.end()) {
      known->entries.push_back(&entry);
    } else {
      groups.push_back({entry.name, {&entry}});
    }
  }
  return groups;
}

void AddBenchmark(const NamedEntries& group, BmfJson* report) {
  std::vector<const Estimate*> estimates;
  std::vector<double> run_logs[2];
  for (const SuiteEntry* const entry : group.entries) {
    estimates.push_back(entry->comparison.estimate());
    for (const stats::RunTimes& run : entry->comparison.estimate()->run_times) {
      for (int v = 0; v < 2; ++v) run_logs[v].push_back(std::log(run.mean[v]));
    }
  }
  std::optional<Estimate> pooled;
  if (estimates.size() > 1)
    pooled = PoolRepetitions(estimates, group.entries.front()->is_of_group());
  const Estimate& estimate = pooled.has_value() ? *pooled : *estimates.front();
  const std::string name = Printable(group.name);
  const stats::RatioInterval& ratio = estimate.interval;
  (*report)[name]["ratio"] = Metric(ratio.ratio, ratio.lo, ratio.hi);
  for (int v = 0; v < 2; ++v) {
    (*report)[name + (v == 0 ? "/old" : "/new")]["latency"] =
        TimeMetric(estimate.time_ns[v], run_logs[v], ratio.level);
  }
}

}  // namespace

std::string SuiteBmf(absl::Span<const SuiteEntry> suite) {
  BmfJson report = BmfJson::object();
  for (const NamedEntries& group : ByName(suite)) AddBenchmark(group, &report);
  return report.dump(2) + "\n";
}

namespace {

// A line of a benchmark begins with "Benchmark" and no lower-case letter after it.
std::string GoName(const std::string& name) {
  std::string result = "Benchmark";
  if (!name.empty() && absl::ascii_islower(static_cast<unsigned char>(name[0]))) result += '_';
  for (const char c : Printable(name)) result += c == ' ' ? '_' : c;
  return result;
}

}  // namespace

std::string SuiteGobench(absl::Span<const SuiteEntry> suite, const std::string& program) {
  std::string text = absl::StrCat("pkg: ", Printable(program), "\n");
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.estimate() == nullptr) continue;
    const std::string name = GoName(entry.name);
    for (const stats::RunTimes& run : entry.comparison.estimate()->run_times) {
      for (int v = 0; v < 2; ++v) {
        absl::StrAppendFormat(&text, "%s/variant=%s %d %.9g ns/op\n", name, v == 0 ? "old" : "new",
                              run.pairs, run.mean[v]);
      }
    }
  }
  return text;
}

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
  MetricFamilies(absl::Span<const SuiteEntry> suite, const std::string& program) {
    std::map<std::string, int> repetitions;
    for (const SuiteEntry& entry : suite) {
      numbers_.push_back(NumbersOf(entry.comparison));
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

  // A gauge of this number (facts.h) of every estimate; `otherwise` where it is left out.
  void AddGauge(const std::string& name, const char* help, const std::string& key,
                double otherwise = 0) {
    Begin(name, "gauge", help);
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const auto number = numbers_[i].find(key);
      if (!numbers_[i].empty()) Add(i, number == numbers_[i].end() ? otherwise : number->second);
    }
  }

  std::string End() { return text_ + "# EOF\n"; }

 private:
  std::vector<Numbers> numbers_;
  std::vector<std::string> labels_;
  std::string name_;
  std::string text_;
};

}  // namespace

std::string SuiteOpenMetrics(absl::Span<const SuiteEntry> suite,
                             absl::Span<const GateStatus> statuses, const std::string& program) {
  MetricFamilies families(suite, program);
  families.AddGauge("duetbench_ratio", "Time of new divided by the time of old.", "ratio");
  families.AddGauge("duetbench_ratio_lower", "Lower end of the interval of the ratio.", "ratio_lo");
  families.AddGauge("duetbench_ratio_upper", "Upper end of the interval of the ratio.", "ratio_hi",
                    HUGE_VAL);
  families.AddGauge("duetbench_ratio_level", "Level of the interval of the ratio.", "ratio_level");

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
