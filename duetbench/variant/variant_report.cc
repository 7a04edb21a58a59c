#include "duetbench/variant/variant_report.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "duetbench/variant/check_equal.h"

namespace duetbench {
namespace {

std::map<std::string, double> ValuesOf(const VariantReport& report) {
  std::map<std::string, double> values;
  for (const CounterValue& counter : report.counters) values[counter.name] = counter.value;
  return values;
}

std::string ShowCounter(const std::map<std::string, double>& values, const std::string& name) {
  const auto it = values.find(name);
  return it == values.end() ? "not set" : internal::Show(it->second);
}

}  // namespace

std::vector<CounterValue> FinishCounters(const benchmark::UserCounters& counters, double iterations,
                                         double seconds) {
  using benchmark::Counter;
  std::vector<CounterValue> finished = RawCounters(counters);
  for (CounterValue& counter : finished) {
    const auto has = [&counter](Counter::Flags flag) {
      return (counter.flags & static_cast<uint32_t>(flag)) != 0;
    };
    if (has(Counter::kIsRate)) counter.value /= seconds;
    if (has(Counter::kIsIterationInvariant)) counter.value *= iterations;
    if (has(Counter::kAvgIterations)) counter.value /= iterations;
    if (has(Counter::kInvert)) counter.value = 1 / counter.value;
  }
  return finished;
}

std::vector<CounterValue> RawCounters(const benchmark::UserCounters& counters) {
  std::vector<CounterValue> raw;
  for (const auto& [name, counter] : counters) {
    raw.push_back({name, counter.value, static_cast<uint32_t>(counter.flags),
                   static_cast<uint32_t>(counter.oneK)});
  }
  return raw;
}

std::string DescribeDifference(const VariantReport& old_report, const VariantReport& new_report) {
  const std::map<std::string, double> old_values = ValuesOf(old_report);
  const std::map<std::string, double> new_values = ValuesOf(new_report);
  if (old_values.empty() && new_values.empty() && old_report.label.empty() &&
      new_report.label.empty()) {
    return "CheckEqual: there is nothing to compare: the variants set no counter and no label; set "
           "state.counters[…] to what must agree, or let them return it";
  }
  std::map<std::string, double> all = old_values;
  all.insert(new_values.begin(), new_values.end());
  for (const auto& [name, value] : all) {
    const std::string old_value = ShowCounter(old_values, name);
    const std::string new_value = ShowCounter(new_values, name);
    if (old_value == new_value) continue;
    return absl::StrCat("CheckEqual: counter ", name, ": old ", old_value, ", new ", new_value);
  }
  if (old_report.label != new_report.label) {
    return absl::StrCat("CheckEqual: label: old '", old_report.label, "', new '", new_report.label,
                        "'");
  }
  return "";
}

std::string AndTheBase(const std::string& difference) {
  return absl::StrCat("and the base: ", difference);
}

}  // namespace duetbench
