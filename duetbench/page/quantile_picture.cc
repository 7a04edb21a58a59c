#include "duetbench/page/quantile_picture.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/page/extent.h"
#include "duetbench/page/figure.h"
#include "duetbench/page/forest.h"
#include "duetbench/page/html.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench::page {
namespace {

std::string QuantileText(const ShownQuantile& quantile) {
  return absl::StrCat(RatioText(*quantile.interval), " ", IntervalText(*quantile.interval));
}

std::string TimeCell(double ns) {
  return absl::StrCat("<td class=\"num\">", ns > 0 ? TimeText(ns) : "", "</td>");
}

std::string GateCell(const ShownQuantile& quantile) {
  return absl::StrCat("<td>", GateSpan(quantile.gate, quantile.gate_name), " ",
                      Escaped(quantile.gate_limit), "</td>");
}

}  // namespace

std::string QuantileRatios(const std::vector<ShownQuantile>& quantiles) {
  std::vector<const ShownQuantile*> shown;
  for (const ShownQuantile& each : quantiles) {
    if (each.interval.has_value()) shown.push_back(&each);
  }
  if (shown.empty()) return "";
  Extent extent;
  extent.Add(1);
  std::vector<std::string> texts;
  for (const ShownQuantile* const each : shown) {
    for (const double end : {each->interval->ratio, each->interval->lo, each->interval->hi}) {
      extent.Add(end);
    }
    texts.push_back(absl::StrCat(each->name, " ", QuantileText(*each)));
  }
  bool shows_limit = false;
  for (const ShownQuantile* const each : shown) {
    if (each->allowed_hi > 0) shows_limit |= extent.AddIfNear(each->allowed_hi);
  }
  const auto count = static_cast<double>(shown.size());
  const Axis x(Axis::Scale::kLinear, 0.5, count + 0.5, Figure::kLeft, Figure::kRight);
  const Axis y = extent.ToAxis(Figure::kBottom, Figure::kTop, 1.002);
  Figure figure(absl::StrCat("Ratio of each quantile: ", absl::StrJoin(texts, ", ")), x, y);
  constexpr size_t kMostTexts = 8;
  const size_t step = (shown.size() + kMostTexts - 1) / kMostTexts;
  std::vector<Tick> ticks;
  for (size_t i = 0; i < shown.size(); i += step) {
    ticks.push_back({static_cast<double>(i + 1), shown[i]->name});
  }
  figure.XTicks(ticks, "quantile of calls");
  figure.YTicks(y.Ticks(5), "new/old, log scale");
  figure.Horizontal("one", 1);
  Figure::Points dots;
  for (size_t i = 0; i < shown.size(); ++i) {
    const auto at = static_cast<double>(i + 1);
    const stats::RatioInterval& interval = *shown[i]->interval;
    // An end that is 0 or infinite lies at the edge.
    figure.Line("e", {{at, std::max(interval.lo, y.lo())}, {at, std::min(interval.hi, y.hi())}});
    dots.emplace_back(at, interval.ratio);
    const double limit = shown[i]->allowed_hi;
    if (limit > y.lo() && limit < y.hi()) {
      figure.Line("lim", {{at - 0.35, limit}, {at + 0.35, limit}});
    }
  }
  figure.Dots("p", dots);
  std::vector<std::pair<const char*, std::string>> legend = {{"e", "interval"}, {"one", "1"}};
  if (shows_limit) legend.emplace_back("lim", "limit");
  figure.Legend(legend);
  const std::string text = absl::StrFormat(
      "The ratio new/old of quantiles of the times of single calls. The %g %% intervals are "
      "simultaneous: they are to hold all at once.",
      100 * shown.front()->interval->level);
  return absl::StrCat("<figure><figcaption><b>Quantiles.</b> ", Escaped(text), "</figcaption>",
                      figure.End(), "</figure>\n");
}

std::string QuantileTable(const std::vector<ShownQuantile>& quantiles) {
  if (quantiles.empty()) return "";
  std::string html = "<div class=\"scroll\"><table><thead><tr>";
  for (const char* const head : {"quantile of calls", "new/old", "old", "new", "gate"}) {
    absl::StrAppend(&html, "<th scope=\"col\">", head, "</th>");
  }
  html += "</tr></thead><tbody>";
  for (const ShownQuantile& each : quantiles) {
    absl::StrAppend(&html, "<tr><td>", Escaped(each.name), "</td><td>",
                    each.interval.has_value() ? QuantileText(each) : Escaped(each.gap), "</td>",
                    TimeCell(each.time_ns[0]), TimeCell(each.time_ns[1]), GateCell(each), "</tr>");
  }
  return html + "</tbody></table></div>";
}

}  // namespace duetbench::page
