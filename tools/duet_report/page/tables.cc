#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/text.h"
#include "tools/duet_report/page/figure.h"
#include "tools/duet_report/page/html.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

constexpr double kForestWidth = 330;
constexpr double kMiddle = 13;  // of the height of a row

// The axis of all ratios: what lies further than a factor of 64 from 1 ends in an arrow.
Axis ForestAxis(const std::vector<Facts>& benchmarks) {
  constexpr double kFurthest = 64;
  Extent extent;
  extent.Add(1);
  for (const Facts& benchmark : benchmarks) {
    if (!benchmark.error.empty()) continue;
    extent.Add(std::max(benchmark.interval.lo, 1 / kFurthest));
    extent.Add(std::min(benchmark.interval.hi, kFurthest));
  }
  for (const Facts& benchmark : benchmarks) {
    for (const double limit : {benchmark.allowed_lo, benchmark.allowed_hi}) {
      if (limit > 0 && std::isfinite(limit)) extent.AddIfNear(limit);
    }
  }
  return extent.ToAxis(10, kForestWidth - 10, 1.005);
}

std::string ForestSvg(double height, const std::string& content) {
  return absl::StrCat("<svg viewBox=\"0 0 ", kForestWidth, " ", height, "\" aria-hidden=\"true\">",
                      content, "</svg>");
}

// Lines through all rows, as backgrounds of the cells: rows of long names are higher than their
// pictures.
std::string ForestGrid(const Axis& axis) {
  const auto line = [](double pixel, const char* color) {
    return absl::StrCat("linear-gradient(", color, ",", color, ") ",
                        Pixels(100 * pixel / kForestWidth), "% 0/1px 100% no-repeat");
  };
  std::string lines = line(axis.At(1), "var(--ink)");
  for (const Tick& tick : axis.Ticks(5)) {
    if (tick.value != 1) absl::StrAppend(&lines, ",", line(axis.At(tick.value), "var(--grid)"));
  }
  return lines;
}

std::string ForestHead(const Axis& axis) {
  std::string texts;
  for (const Tick& tick : axis.Ticks(5)) {
    absl::StrAppend(&texts, "<text class=\"middle\" x=\"", Pixels(axis.At(tick.value)),
                    "\" y=\"28\">", tick.text, "</text>");
  }
  return ForestSvg(34, absl::StrCat("<text x=\"10\" y=\"11\">← new faster</text>"
                                    "<text class=\"end\" x=\"320\" y=\"11\">new slower →</text>",
                                    texts));
}

std::string ForestRow(const Facts& benchmark, const Axis& axis) {
  const stats::RatioInterval& interval = benchmark.interval;
  std::string content;
  for (const double limit : {benchmark.allowed_lo, benchmark.allowed_hi}) {
    if (!(limit > axis.lo() && limit < axis.hi())) continue;
    absl::StrAppend(&content, "<path class=\"lim\" d=\"M", Pixels(axis.At(limit)), " 3V23\"/>");
  }
  const double from = axis.At(interval.lo);
  const double to = axis.At(interval.hi);
  absl::StrAppend(&content, "<path class=\"fi\" d=\"M", Pixels(from), " ", kMiddle, "H",
                  Pixels(to));
  // Ends outside of the axis are arrows, the others bars.
  absl::StrAppend(&content, interval.lo < axis.lo()
                                ? absl::StrCat("M", Pixels(from + 6), " 8l-6 5l6 5")
                                : absl::StrCat("M", Pixels(from), " 9v8"));
  absl::StrAppend(&content,
                  interval.hi > axis.hi() ? absl::StrCat("M", Pixels(to - 6), " 8l6 5l-6 5")
                                          : absl::StrCat("M", Pixels(to), " 9v8"),
                  "\"/>");
  const double at = axis.At(interval.ratio);
  absl::StrAppend(&content, "<path class=\"fd\" d=\"M", Pixels(at - 5), " 13l5-5l5 5l-5 5z\"/>");
  return ForestSvg(26, content);
}

std::vector<size_t> ByEffect(const std::vector<Facts>& benchmarks) {
  std::vector<size_t> order(benchmarks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const bool has_a = benchmarks[a].error.empty();
    const bool has_b = benchmarks[b].error.empty();
    if (has_a != has_b) return has_a;
    return has_a && benchmarks[a].interval.ratio > benchmarks[b].interval.ratio;
  });
  return order;
}

}  // namespace

std::string VerdictSpan(stats::Verdict verdict) {
  switch (verdict) {
    case stats::Verdict::kFaster:
      return "<span class=\"mark good\">▼ FASTER</span>";
    case stats::Verdict::kSlower:
      return "<span class=\"mark bad\">▲ SLOWER</span>";
    case stats::Verdict::kEqual:
      return "<span class=\"mark\">= EQUAL</span>";
    case stats::Verdict::kInconclusive:
      break;
  }
  return "<span class=\"mark none\">? INCONCLUSIVE</span>";
}

std::string GateSpan(GateStatus gate) {
  const auto span = [gate](const char* kind, const char* mark) {
    return absl::StrCat("<span class=\"mark ", kind, "\">", mark, " ", GateStatusName(gate),
                        "</span>");
  };
  switch (gate) {
    case GateStatus::kPass:
      return span("good", "✓");
    case GateStatus::kFail:
    case GateStatus::kError:
      return span("bad", "✗");
    case GateStatus::kInconclusive:
    case GateStatus::kUnproven:
    case GateStatus::kNotMeasured:
      return span("none", "?");
    case GateStatus::kNoGate:
      break;
  }
  return "<span class=\"none\" aria-label=\"no gate\">–</span>";
}

std::string ForestTable(const std::vector<Facts>& benchmarks) {
  const Axis axis = ForestAxis(benchmarks);
  std::string html =
      absl::StrCat("<div class=\"card\"><table class=\"forest\" style=\"--ticks:", ForestGrid(axis),
                   "\"><thead><tr><th scope=\"col\">benchmark</th>"
                   "<th scope=\"col\" class=\"plot\" id=\"ratios\">",
                   ForestHead(axis),
                   "</th><th scope=\"col\">new/old</th><th scope=\"col\">interval</th><th "
                   "scope=\"col\">verdict</th><th scope=\"col\">gate</th></tr></thead><tbody>\n");
  for (const size_t i : ByEffect(benchmarks)) {
    const Facts& benchmark = benchmarks[i];
    absl::StrAppend(&html, "<tr><th scope=\"row\"><a href=\"#b", i, "\">",
                    Breakable(benchmark.name), "</a></th>");
    if (!benchmark.error.empty()) {
      absl::StrAppend(&html, "<td class=\"plot\" colspan=\"4\">", Escaped(benchmark.error),
                      "</td><td>", GateSpan(benchmark.gate), "</td></tr>\n");
      continue;
    }
    absl::StrAppend(&html, "<td class=\"plot\" headers=\"ratios\">", ForestRow(benchmark, axis),
                    "</td><td class=\"num\">", Escaped(RatioText(benchmark.interval)),
                    "</td><td class=\"num soft\">", Escaped(IntervalText(benchmark.interval)),
                    "</td><td>", VerdictSpan(benchmark.verdict), "</td><td>",
                    GateSpan(benchmark.gate), "</td></tr>\n");
  }
  return html + "</tbody></table></div>\n";
}

namespace {

std::string QuantileCells(const Facts::Quantile& quantile) {
  if (!quantile.interval.has_value()) {
    return absl::StrCat("<td>", Escaped(quantile.gap), "</td><td></td><td></td>");
  }
  const auto time = [&](int v) {
    return quantile.time_ns[v] > 0 ? TimeText(quantile.time_ns[v]) : "";
  };
  return absl::StrCat("<td>", RatioText(*quantile.interval), " ", IntervalText(*quantile.interval),
                      "</td><td>", time(0), "</td><td>", time(1), "</td>");
}

std::string QuantileHead(const std::vector<Facts::Quantile>& quantiles, bool has_gates) {
  std::string interval = "interval";
  for (const Facts::Quantile& each : quantiles) {
    // Each alone would have a higher level.
    if (each.interval.has_value()) {
      interval = absl::StrFormat("%g %%, all at once", 100 * each.interval->level);
    }
  }
  return absl::StrCat("<tr><th>calls</th><th>new/old [", interval, "]</th><th>old</th><th>new</th>",
                      has_gates ? "<th>gate</th>" : "", "</tr>");
}

}  // namespace

std::string QuantileTable(const std::vector<Facts::Quantile>& quantiles) {
  if (quantiles.empty()) return "";
  const bool has_gates =
      std::any_of(quantiles.begin(), quantiles.end(),
                  [](const Facts::Quantile& each) { return each.gate != GateStatus::kNoGate; });
  std::string html =
      absl::StrCat("<div class=\"scroll\"><table class=\"q\">", QuantileHead(quantiles, has_gates));
  for (const Facts::Quantile& each : quantiles) {
    absl::StrAppend(&html, "<tr><td>", Escaped(each.name), "</td>", QuantileCells(each));
    if (has_gates) {
      absl::StrAppend(&html, "<td>", GateSpan(each.gate), " ", Escaped(each.gate_limit), "</td>");
    }
    html += "</tr>";
  }
  return html + "</table></div>";
}

}  // namespace duetbench::page
