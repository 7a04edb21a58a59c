#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/number_text.h"
#include "duetbench/report/ratio_format.h"

namespace duetbench {
std::string QuantileName(double quantile) { return absl::StrFormat("p%.6g", 100 * quantile); }

std::string TooFewText(const stats::QuantileRatio& ratio, size_t together) {
  const std::string purpose =
      together > 1 ? absl::StrCat(" for ", together, " quantiles at once") : "";
  if (ratio.runs < ratio.runs_needed) {
    return absl::StrCat("too few runs", purpose, ", ", ratio.runs, " of ", ratio.runs_needed,
                        " needed");
  }
  return absl::StrCat("too few calls", purpose, ", ", ratio.calls, " of ", ratio.calls_needed,
                      " needed");
}

std::vector<std::string> QuantileLines(const Estimate& estimate) {
  std::vector<std::string> lines;
  for (const stats::QuantileRatio& each : estimate.quantiles) {
    std::string line = absl::StrCat(QuantileName(each.quantile), ": ");
    if (each.interval.has_value()) {
      absl::StrAppend(&line, RatioText(*each.interval), " ", IntervalText(*each.interval),
                      ", a call ", ShortTimeText(each.time[0]), " -> ",
                      ShortTimeText(each.time[1]));
    } else {
      absl::StrAppend(&line, TooFewText(each, estimate.quantiles.size()));
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace duetbench
