#include "duetbench/runner/check_equal.h"

#include <map>

#include "absl/strings/str_cat.h"

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

namespace internal {

std::string Shortened(std::string text) {
  if (text.size() <= kMostShown) return text;
  text.resize(kMostShown);
  return text + "…";
}

}  // namespace internal

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

}  // namespace duetbench
