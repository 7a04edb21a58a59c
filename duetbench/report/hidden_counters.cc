#include "duetbench/report/hidden_counters.h"

#include <cmath>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

using benchmark::Counter;

constexpr char kGroupKey[] = "duet_group";
constexpr char kRatioKey[] = "duet_ratio";
constexpr const char* kRealKeys[] = {"duet_old_real", "duet_new_real"};
constexpr const char* kCpuKeys[] = {"duet_old_cpu", "duet_new_cpu"};
// Before the flags and the name of a counter of the user. The library would apply the flags once
// more, so they stand in the name: "duet_old_counter 1 items_per_second".
constexpr const char* kUserPrefixes[] = {"duet_old_counter ", "duet_new_counter "};

double Value(const benchmark::UserCounters& counters, const char* key) {
  const auto it = counters.find(key);
  return it == counters.end() || !std::isfinite(it->second.value) ? 0 : it->second.value;
}

}  // namespace

benchmark::UserCounters EncodeHiddenCounters(const Comparison& comparison, int64_t number,
                                             int64_t group) {
  benchmark::UserCounters counters;
  counters[kComparisonKey] = Counter(static_cast<double>(number));
  counters[kGroupKey] = Counter(static_cast<double>(group));
  if (!comparison.error.cause.empty()) return counters;
  counters[kRatioKey] = Counter(comparison.interval.ratio);
  for (int variant = 0; variant < 2; ++variant) {
    counters[kRealKeys[variant]] = Counter(comparison.time_ns[variant] * 1e-9);
    counters[kCpuKeys[variant]] = Counter(comparison.cpu_ns[variant] * 1e-9);
    for (const CounterValue& counter : comparison.variants[variant].counters) {
      counters[absl::StrCat(kUserPrefixes[variant], counter.flags, " ", counter.name)] = Counter(
          counter.value, Counter::kDefaults, static_cast<benchmark::Counter::OneK>(counter.one_k));
    }
  }
  return counters;
}

std::optional<HiddenCounters> DecodeHiddenCounters(const benchmark::UserCounters& counters) {
  if (counters.find(kComparisonKey) == counters.end()) return std::nullopt;
  HiddenCounters hidden;
  hidden.number = std::llround(Value(counters, kComparisonKey));
  hidden.group = std::llround(Value(counters, kGroupKey));
  hidden.has_numbers = counters.find(kRatioKey) != counters.end();
  hidden.ratio = Value(counters, kRatioKey);
  for (int variant = 0; variant < 2; ++variant) {
    hidden.real_seconds[variant] = Value(counters, kRealKeys[variant]);
    hidden.cpu_seconds[variant] = Value(counters, kCpuKeys[variant]);
    for (const auto& [key, counter] : counters) {
      absl::string_view rest = key;
      if (!absl::ConsumePrefix(&rest, kUserPrefixes[variant])) continue;
      const size_t space = rest.find(' ');
      uint32_t flags = 0;
      if (space == absl::string_view::npos || !absl::SimpleAtoi(rest.substr(0, space), &flags) ||
          !std::isfinite(counter.value)) {
        continue;
      }
      hidden.counters[variant][std::string(rest.substr(space + 1))] =
          Counter(counter.value, static_cast<Counter::Flags>(flags), counter.oneK);
    }
  }
  return hidden;
}

}  // namespace duetbench
