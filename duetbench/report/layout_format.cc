#include "duetbench/report/layout_format.h"

#include <cmath>

#include "absl/strings/str_format.h"

namespace duetbench {

std::string LayoutLine(const Estimate& estimate) {
  if (!estimate.layouts.has_value()) return "";
  const stats::LayoutSpread& layouts = *estimate.layouts;
  const stats::RatioInterval& code = estimate.interval;
  std::string line = absl::StrFormat("code %+.2g ± %.2g %%", 100 * (code.ratio - 1),
                                     100 * (code.hi - code.lo) / 2);
  if (layouts.own_effect.has_value()) {
    absl::StrAppendFormat(&line, ", this layout adds %+.2g %%",
                          100 * std::expm1(*layouts.own_effect));
  }
  if (layouts.layout_sd.has_value() && layouts.run_sd.has_value()) {
    absl::StrAppendFormat(&line,
                          "; spread between layouts %.2g %%, between the runs of one %.2g %%",
                          100 * *layouts.layout_sd, 100 * *layouts.run_sd);
  }
  return line;
}

std::map<std::string, double> LayoutKeys(const Estimate& estimate) {
  if (!estimate.layouts.has_value()) return {};
  const stats::LayoutSpread& layouts = *estimate.layouts;
  std::map<std::string, double> keys = {{"layouts", layouts.layouts}};
  if (layouts.own_effect.has_value()) keys["layout_effect"] = std::expm1(*layouts.own_effect);
  if (layouts.layout_sd.has_value()) keys["layout_spread"] = *layouts.layout_sd;
  if (layouts.run_sd.has_value()) keys["run_spread"] = *layouts.run_sd;
  return keys;
}

}  // namespace duetbench
