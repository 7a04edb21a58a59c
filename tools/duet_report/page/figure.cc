#include "tools/duet_report/page/figure.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/duet_report/page/html.h"

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

void Figure::Horizontal(const char* style, double y) {
  Path(style, absl::StrCat("M", kLeft, " ", Pixels(y_.At(y)), "H", kRight));
}

void Figure::HorizontalBand(const char* style, double lo, double hi) {
  Path(style, absl::StrCat("M", kLeft, " ", Pixels(y_.At(lo)), "H", kRight, "V", Pixels(y_.At(hi)),
                           "H", kLeft, "Z"));
}

void Figure::Rug(const char* style, const std::vector<double>& xs) {
  std::string data;
  for (const double x : xs) {
    absl::StrAppend(&data, "M", Pixels(x_.At(x)), " ", kBottom - 9, "v9");
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

namespace {

// From this factor between the ends on, ticks are 1, 2 and 5 times powers of ten.
constexpr double kDecadesFrom = 5;

std::vector<Tick> LinearTicks(double lo, double hi, int most) {
  const double least = (hi - lo) / most;
  const double power = std::pow(10, std::floor(std::log10(least)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= least) step = factor * power;
  }
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  for (double i = std::ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; ++i) {
    const double value = i * step + 0.0;  // not -0
    ticks.push_back({value, step >= 1e6 ? absl::StrFormat("%.3g", value)
                                        : absl::StrFormat("%.*f", digits, value)});
  }
  return ticks;
}

std::string ShortNumber(double value) {
  return value >= 1e6 || value < 1e-3 ? absl::StrFormat("%.0e", value) : absl::StrCat(value);
}

std::vector<Tick> DecadeTicks(double lo, double hi, int most) {
  const int first = static_cast<int>(std::floor(std::log10(lo)));
  const int last = static_cast<int>(std::ceil(std::log10(hi)));
  std::vector<Tick> ticks;
  for (const auto& factors : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    ticks.clear();
    for (int power = first; power <= last; ++power) {
      for (const double factor : factors) {
        const double value = factor * std::pow(10, power);
        if (value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9)) {
          ticks.push_back({value, ShortNumber(value)});
        }
      }
    }
    if (static_cast<int>(ticks.size()) <= most) return ticks;
  }
  const size_t step = (ticks.size() + most - 1) / most;
  std::vector<Tick> some;
  for (size_t i = 0; i < ticks.size(); i += step) some.push_back(ticks[i]);
  return some;
}

}  // namespace

Axis::Axis(Scale scale, double lo, double hi, double from_pixel, double to_pixel)
    : scale_(scale), lo_(lo), hi_(hi), from_(from_pixel), to_(to_pixel) {}

double Axis::At(double value) const {
  value = std::min(std::max(value, lo_), hi_);
  const double share = scale_ == Scale::kLinear ? (value - lo_) / (hi_ - lo_)
                                                : std::log(value / lo_) / std::log(hi_ / lo_);
  return from_ + share * (to_ - from_);
}

std::vector<Tick> Axis::Ticks(int most) const {
  return scale_ == Scale::kLog && hi_ / lo_ >= kDecadesFrom ? DecadeTicks(lo_, hi_, most)
                                                            : LinearTicks(lo_, hi_, most);
}

void Extent::Add(double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  lo = lo > 0 ? std::min(lo, value) : value;
  hi = std::max(hi, value);
}

bool Extent::AddIfNear(double value) {
  const double longer = std::log(std::max(hi, value) / std::min(lo, value));
  if (longer > std::max(4 * std::log(hi / lo), 0.01)) return false;
  Add(value);
  return true;
}

Axis Extent::ToAxis(double from_pixel, double to_pixel, double least_room) const {
  const double room = std::max(std::pow(hi / lo, 0.06), least_room);
  return {Axis::Scale::kLog, lo / room, hi * room, from_pixel, to_pixel};
}

}  // namespace duetbench::page
