#include "duetbench/report/time_format.h"

#include "absl/strings/str_format.h"

namespace duetbench {

std::string ShortTimeText(double ns) {
  if (ns < 1e3) return absl::StrFormat("%.3g ns", ns);
  if (ns < 1e6) return absl::StrFormat("%.3g µs", ns * 1e-3);
  if (ns < 1e9) return absl::StrFormat("%.3g ms", ns * 1e-6);
  return absl::StrFormat("%.3g s", ns * 1e-9);
}

}  // namespace duetbench
