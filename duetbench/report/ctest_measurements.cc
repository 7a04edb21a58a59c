#include "duetbench/report/ctest_measurements.h"

#include <cmath>

#include "absl/strings/str_format.h"

namespace duetbench {

std::string CtestMeasurements(const Comparison& comparison) {
  std::string lines;
  if (!comparison.has_estimate) return lines;
  const struct {
    const char* name;
    double value;
  } kMeasurements[] = {{"ratio", comparison.interval.ratio},
                       {"ratio_lo", comparison.interval.lo},
                       {"ratio_hi", comparison.interval.hi}};
  for (const auto& [name, value] : kMeasurements) {
    if (!std::isfinite(value)) continue;
    absl::StrAppendFormat(
        &lines, "<CTestMeasurement type=\"numeric/double\" name=\"%s\">%.6g</CTestMeasurement>\n",
        name, value);
  }
  return lines;
}

}  // namespace duetbench
