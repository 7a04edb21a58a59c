#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "duetbench/report/text.h"
#include "tools/duet_report/page/html.h"
#include "tools/duet_report/page/pictures.h"

namespace duetbench::page {
namespace {

// In pixels of the picture.
constexpr double kFlameWidth = 1000;
constexpr double kFlameRow = 20;
constexpr double kLetter = 7.2;  // about the mean width
constexpr double kNarrowest = 0.5;

double WidthOf(const CallNode& node) { return node.time.ns[0] + node.time.ns[1]; }

int DepthOf(const CallNode& node) {
  int deepest = 0;
  for (const CallNode& call : node.calls) deepest = std::max(deepest, DepthOf(call));
  return 1 + deepest;
}

std::string Signed(double ns) {
  return absl::StrCat(ns < 0 ? "−" : "+", ShortTimeText(std::fabs(ns)));
}

std::string Hover(const CallNode& node) {
  const TimeDifference& time = node.time;
  return absl::StrCat(node.function, ": old ", ShortTimeText(time.ns[0]), ", new ",
                      ShortTimeText(time.ns[1]), ", difference ", Signed(time.difference_ns), " (",
                      Signed(time.lo_ns), " to ", Signed(time.hi_ns), ")");
}

// As many letters as are shown in `width`.
std::string Shortened(absl::string_view name, double width) {
  const auto letters = static_cast<size_t>(std::max(0.0, (width - 8) / kLetter));
  if (name.size() <= letters) return std::string(name);
  if (letters < 6) return "";
  size_t end = letters - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // UTF-8
  return absl::StrCat(name.substr(0, end), "…");
}

struct FlameScale {
  double per_ns = 1;    // pixels
  double whole_ns = 1;  // difference that has the full color
};

void Append(const CallNode& node, double x, double y, const FlameScale& scale, std::string* svg) {
  const double width = scale.per_ns * WidthOf(node);
  if (width < kNarrowest) return;
  const TimeDifference& time = node.time;
  const bool is_slower = time.is_proven() && time.difference_ns > 0;
  const char* const style = !time.is_proven() ? "fl" : is_slower ? "fl up" : "fl down";
  const double part = std::min(1.0, std::fabs(time.difference_ns) / scale.whole_ns);
  const std::string opacity =
      time.is_proven() ? absl::StrCat(" fill-opacity=\"", Pixels(0.2 + 0.6 * part), "\"") : "";
  absl::StrAppend(svg, "<g><title>", Escaped(Hover(node)), "</title><rect class=\"", style,
                  "\" x=\"", Pixels(x), "\" y=\"", Pixels(y), "\" width=\"", Pixels(width),
                  "\" height=\"", kFlameRow - 1, "\"", opacity, "/>");
  const std::string label = Shortened(absl::StrCat(!time.is_proven() ? ""
                                                   : is_slower       ? "▲ "
                                                                     : "▼ ",
                                                   node.function),
                                      width);
  if (!label.empty()) {
    absl::StrAppend(svg, "<text class=\"l\" x=\"", Pixels(x + 4), "\" y=\"", Pixels(y + 14), "\">",
                    Escaped(label), "</text>");
  }
  absl::StrAppend(svg, "</g>");
  for (const CallNode& call : node.calls) {
    Append(call, x, y - kFlameRow, scale, svg);
    x += scale.per_ns * WidthOf(call);
  }
}

}  // namespace

std::string FlameGraph(const CallNode& calls) {
  const double whole = WidthOf(calls);
  if (calls.calls.empty() || !std::isfinite(whole) || whole <= 0) return "";
  const double height = kFlameRow * DepthOf(calls);
  FlameScale scale;
  scale.per_ns = kFlameWidth / whole;
  scale.whole_ns = std::max(std::fabs(calls.time.difference_ns), 1e-9 * whole);
  std::string svg = absl::StrCat(
      "<figure class=\"flame\"><figcaption><b>Calls.</b> Each function stands on the one that "
      "calls "
      "it, as wide as its time, the mean of old and new. ▲ red: new takes longer in it and in what "
      "it calls, ▼ blue: shorter; gray: not known, the interval of the difference contains 0. The "
      "mouse shows both times and the interval.</figcaption><div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Calls\"><svg viewBox=\"0 0 ",
      kFlameWidth, " ", height,
      "\" role=\"img\" aria-label=\"Flame graph of the calls of both variants\">");
  Append(calls, 0, height - kFlameRow, scale, &svg);
  return svg + "</svg></div></figure>\n";
}

}  // namespace duetbench::page
