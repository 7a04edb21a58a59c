#include "duetbench/record/run_result.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_format.h"

namespace duetbench {

Amount MakeAmount(absl::string_view name, double of_old, double of_new, bool shown) {
  Amount amount{};
  name.copy(amount.name, sizeof(amount.name) - 1);
  amount.shown = shown ? 1 : 0;
  amount.of[0] = of_old;
  amount.of[1] = of_new;
  return amount;
}

bool IsAmount(absl::string_view name) {
  return name == kPeakHeap || name == kPeakRss || name == kUserTime || name == kSystemTime ||
         name == kExitStatus;
}

std::string AmountText(absl::string_view name, double value) {
  if (name == kUserTime || name == kSystemTime) return absl::StrFormat("%.4g s", value);
  if (name != kPeakHeap && name != kPeakRss) return absl::StrFormat("%.4g", value);
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.4g %s", value, kUnits[unit]);
}

}  // namespace duetbench
