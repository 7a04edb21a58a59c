#include "duetbench/page/quantiles.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/page/extent.h"
#include "duetbench/page/forest.h"
#include "duetbench/page/html.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench::page {
namespace {

constexpr double kQuantileWidth = 240;

// Of all ratios and 1, with the limits of gates unless these are far away.
Axis QuantileAxis(const std::vector<ShownQuantile>& quantiles) {
  Extent extent;
  extent.Add(1);
  for (const ShownQuantile& each : quantiles) {
    if (!each.interval.has_value()) continue;
    for (const double end : {each.interval->ratio, each.interval->lo, each.interval->hi}) {
      extent.Add(end);
    }
  }
  for (const ShownQuantile& each : quantiles) {
    if (each.allowed_hi > 0) extent.AddIfNear(each.allowed_hi);
  }
  return extent.ToAxis(6, kQuantileWidth - 6, 1.002);
}

// An end that is 0 or infinite lies at the edge.
std::string QuantileSvg(const ShownQuantile& quantile, const Axis& axis) {
  const auto at = [&](double ratio) { return Pixels(axis.At(std::max(ratio, axis.lo()))); };
  const stats::RatioInterval& interval = *quantile.interval;
  std::string svg =
      absl::StrCat("<svg viewBox=\"0 0 ", kQuantileWidth, " 20\"><path d=\"M", at(interval.lo),
                   " 10H", at(interval.hi), "M", at(interval.ratio), " 4v12\"/>");
  if (quantile.allowed_hi > axis.lo() && quantile.allowed_hi < axis.hi()) {
    absl::StrAppend(&svg, "<path class=\"lim\" d=\"M", at(quantile.allowed_hi), " 0V20\"/>");
  }
  return svg + "</svg>";
}

std::string QuantileCells(const ShownQuantile& quantile, const Axis& axis) {
  if (!quantile.interval.has_value()) {
    return absl::StrCat("<td></td><td>", Escaped(quantile.gap), "</td><td></td><td></td>");
  }
  const auto time = [&](int v) {
    return quantile.time_ns[v] > 0 ? TimeText(quantile.time_ns[v]) : "";
  };
  return absl::StrCat("<td>", QuantileSvg(quantile, axis), "</td><td>",
                      RatioText(*quantile.interval), " ", IntervalText(*quantile.interval),
                      "</td><td>", time(0), "</td><td>", time(1), "</td>");
}

std::string QuantileHead(const std::vector<ShownQuantile>& quantiles, bool has_gates) {
  std::string interval = "interval";
  for (const ShownQuantile& each : quantiles) {
    // Each alone would have a higher level.
    if (each.interval.has_value()) {
      interval = absl::StrFormat("%g %%, all at once", 100 * each.interval->level);
    }
  }
  return absl::StrCat("<tr><th>calls</th><th>← new faster, slower →</th><th>new/old [", interval,
                      "]</th><th>old</th><th>new</th>", has_gates ? "<th>gate</th>" : "", "</tr>");
}

}  // namespace

std::string QuantileTable(const std::vector<ShownQuantile>& quantiles) {
  if (quantiles.empty()) return "";
  const Axis axis = QuantileAxis(quantiles);
  const bool has_gates =
      std::any_of(quantiles.begin(), quantiles.end(),
                  [](const ShownQuantile& each) { return each.gate != GateMark::kNone; });
  // The line at 1 is a background of the cells, as in the table of all ratios.
  std::string html = absl::StrCat("<div class=\"scroll\"><table class=\"q\" style=\"--one:",
                                  Pixels(100 * axis.At(1) / kQuantileWidth), "%\">",
                                  QuantileHead(quantiles, has_gates));
  for (const ShownQuantile& each : quantiles) {
    absl::StrAppend(&html, "<tr><td>", Escaped(each.name), "</td>", QuantileCells(each, axis));
    if (has_gates) {
      absl::StrAppend(&html, "<td>", GateSpan(each.gate, each.gate_name), " ",
                      Escaped(each.gate_limit), "</td>");
    }
    html += "</tr>";
  }
  return html + "</table></div>";
}

}  // namespace duetbench::page
