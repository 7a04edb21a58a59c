#include "duetbench/record/run_result.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_format.h"

namespace duetbench {

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
