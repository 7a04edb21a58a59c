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

std::string QuantileLine(const Facts::Quantile& quantile) {
  if (!quantile.interval.has_value()) return absl::StrCat(quantile.name, ": ", quantile.gap);
  return absl::StrCat(
      quantile.name, ": ", RatioText(*quantile.interval), " ", IntervalText(*quantile.interval),
      ", a call ", ShortTimeText(quantile.time_ns[0]), " -> ", ShortTimeText(quantile.time_ns[1]));
}

}  // namespace duetbench
