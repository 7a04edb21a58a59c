#include "duetbench/report/number_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {

TimeUnit UnitFor(double ns) {
  if (ns < 1e3) return {"ns", 1};
  if (ns < 1e6) return {"µs", 1e3};
  if (ns < 1e9) return {"ms", 1e6};
  return {"s", 1e9};
}

std::string TimeText(double ns) {
  const TimeUnit unit = UnitFor(ns);
  const double value = ns / unit.ns;
  const int digits = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
  return absl::StrFormat("%.*f %s", digits, value, unit.name);
}

std::string ShortTimeText(double ns) {
  const TimeUnit unit = UnitFor(ns);
  return absl::StrFormat("%.3g %s", ns / unit.ns, unit.name);
}

std::string DurationText(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return absl::StrFormat("%.3g s", seconds);
  if (seconds < 2 * kHour) return absl::StrFormat("%.3g min", seconds / kMinute);
  return absl::StrFormat("%.3g h", seconds / kHour);
}

std::string PercentText(double fraction) { return absl::StrFormat("%.2g %%", 100 * fraction); }

std::string NumberText(double number) { return absl::StrFormat("%.4g", number); }

std::string Grouped(uint64_t number) {
  std::string text = absl::StrCat(number);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string Plural(uint64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace duetbench
