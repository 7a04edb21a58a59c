#include "duetbench/page/figure.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "duetbench/page/html.h"

namespace duetbench::page {

Figure::Figure(const std::string& description, const Axis& x, const Axis& y)
    : x_(x),
      y_(y),
      svg_(absl::StrCat("<svg viewBox=\"0 0 ", kWidth, " ", kHeight,
                        "\" role=\"img\" aria-label=\"", Escaped(description), "\">")) {}

void Figure::XTicks(const std::vector<Tick>& ticks, const std::string& title) {
  std::string grid;
  for (const Tick& tick : ticks) {
    const std::string at = Pixels(x_.At(tick.value));
    absl::StrAppend(&grid, "M", at, " ", kTop, "V", kBottom);
    Text("", "middle", x_.At(tick.value), kBottom + 14, tick.text);
  }
  Path("g", grid);
  Text("", "end", kRight, kHeight - 3, title);
}

void Figure::YTicks(const std::vector<Tick>& ticks, const std::string& title) {
  std::string grid;
  for (const Tick& tick : ticks) {
    absl::StrAppend(&grid, "M", kLeft, " ", Pixels(y_.At(tick.value)), "H", kRight);
    Text("", "end", kLeft - 5, y_.At(tick.value) + 4, tick.text);
  }
  Path("g", grid);
  Text("", "start", 0, 12, title);
}

std::string Figure::Place(const std::pair<double, double>& point) const {
  return absl::StrCat(Pixels(x_.At(point.first)), " ", Pixels(y_.At(point.second)));
}

void Figure::Path(const char* style, const std::string& data) {
  if (!data.empty()) absl::StrAppend(&svg_, "<path class=\"", style, "\" d=\"", data, "\"/>");
}

std::string Figure::Moves(const Points& points, const char* then) const {
  // In steps, which are shorter than places; from the place that the last rounded step led to.
  std::string data;
  double x = 0;
  double y = 0;
  for (const auto& point : points) {
    const double step_x = std::round(10 * (x_.At(point.first) - x)) / 10;
    const double step_y = std::round(10 * (y_.At(point.second) - y)) / 10;
    x += step_x;
    y += step_y;
    const char* const command = data.empty() ? "M" : *then == '\0' ? "l" : "m";
    absl::StrAppend(&data, command, Pixels(step_x), step_y < 0 ? "" : " ", Pixels(step_y), then);
  }
  return data;
}

void Figure::Line(const char* style, const Points& points) { Path(style, Moves(points, "")); }

void Figure::Dots(const char* style, const Points& points) {
  // Lines of no length, whose round ends are dots.
  Path(style, Moves(points, "h0"));
}

void Figure::Band(const char* style, const Points& lower, const Points& upper) {
  std::string data;
  for (const auto& point : lower) absl::StrAppend(&data, data.empty() ? "M" : "L", Place(point));
  for (auto it = upper.rbegin(); it != upper.rend(); ++it) absl::StrAppend(&data, "L", Place(*it));
  Path(style, data + "Z");
}

void Figure::Steps(const char* style, double lo, double hi, const std::vector<double>& heights) {
  // As in Line: in steps from the last rounded place.
  const double first = x_.At(lo);
  const double width = (x_.At(hi) - first) / static_cast<double>(heights.size());
  std::string data = absl::StrCat("M", Pixels(first), " ", kBottom);
  double x = std::round(10 * first) / 10;
  double y = kBottom;
  double last = y_.lo();
  for (size_t i = 0; i < heights.size(); ++i) {
    if (heights[i] != last) {
      const double step = std::round(10 * (y_.At(heights[i]) - y)) / 10;
      y += step;
      absl::StrAppend(&data, "v", Pixels(step));
    }
    last = heights[i];
    // The next bin of the same height continues this line.
    if (i + 1 < heights.size() && heights[i + 1] == last) continue;
    const double step = std::round(10 * (first + width * static_cast<double>(i + 1) - x)) / 10;
    x += step;
    absl::StrAppend(&data, "h", Pixels(step));
  }
  Path(style, absl::StrCat(data, "V", kBottom));
}

void Figure::Horizontal(const char* style, double y) {
  Path(style, absl::StrCat("M", kLeft, " ", Pixels(y_.At(y)), "H", kRight));
}

void Figure::Vertical(const char* style, double x) {
  Path(style, absl::StrCat("M", Pixels(x_.At(x)), " ", kTop, "V", kBottom));
}

void Figure::HorizontalBand(const char* style, double lo, double hi) {
  Path(style, absl::StrCat("M", kLeft, " ", Pixels(y_.At(lo)), "H", kRight, "V", Pixels(y_.At(hi)),
                           "H", kLeft, "Z"));
}

void Figure::VerticalBand(const char* style, double lo, double hi) {
  Path(style, absl::StrCat("M", Pixels(x_.At(lo)), " ", kTop, "H", Pixels(x_.At(hi)), "V", kBottom,
                           "H", Pixels(x_.At(lo)), "Z"));
}

void Figure::Rug(const char* style, const std::vector<double>& xs) {
  std::string data;
  double at = 0;
  for (const double x : xs) {
    const double step = std::round(10 * (x_.At(x) - at)) / 10;
    at += step;
    absl::StrAppend(&data, data.empty() ? "M" : "m", Pixels(step),
                    data.empty() ? absl::StrCat(" ", kBottom - 9) : "-9", "v9");
  }
  Path(style, data);
}

void Figure::Text(const char* style, const char* anchor, double x_pixel, double y_pixel,
                  const std::string& text) {
  if (text.empty()) return;
  absl::StrAppend(&svg_, "<text class=\"", style, *style != '\0' ? " " : "", anchor, "\" x=\"",
                  Pixels(x_pixel), "\" y=\"", Pixels(y_pixel), "\">", Escaped(text), "</text>");
}

void Figure::Legend(const std::vector<std::pair<const char*, std::string>>& entries) {
  double x = kRight;
  for (auto it = entries.rbegin(); it != entries.rend(); ++it) {
    Text("l", "end", x, 12, it->second);
    // About the width of the word.
    x -= 7.5 * static_cast<double>(it->second.size()) + 6;
    Path(it->first, absl::StrCat("M", Pixels(x - 16), " 8h16"));
    x -= 28;
  }
}

}  // namespace duetbench::page
