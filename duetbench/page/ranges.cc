#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/page/figure.h"
#include "duetbench/page/html.h"
#include "duetbench/page/pictures.h"

namespace duetbench::page {

std::string FastestOverArgument(const ShownRange& shown) {
  const std::vector<stats::FastestStretch>& stretches = shown.range.stretches;
  std::vector<double> sizes;
  std::vector<std::string> rows;  // variants
  for (const stats::FastestStretch& stretch : stretches) {
    for (const double size : {stretch.from, stretch.to}) {
      if (sizes.empty() || size > sizes.back()) sizes.push_back(size);
    }
    if (std::find(rows.begin(), rows.end(), stretch.variant) == rows.end()) {
      rows.push_back(stretch.variant);
    }
  }
  const double room = std::pow(sizes.back() / sizes.front(), 0.04);
  const Axis x(Axis::Scale::kLog, sizes.front() / room, sizes.back() * room, Figure::kLeft,
               Figure::kRight);
  const Axis y(Axis::Scale::kLinear, 0, static_cast<double>(rows.size()), Figure::kTop,
               Figure::kBottom);
  Figure figure(shown.sentence, x, y);
  figure.XTicks(TicksAt(sizes, x), absl::StrCat(shown.range.argument, ", log scale"));
  for (const stats::FastestStretch& stretch : stretches) {
    if (stretch.crossing.has_value()) {
      figure.VerticalBand("x", stretch.crossing->lo, stretch.crossing->hi);
      figure.Vertical("one", stretch.crossing->x);
    }
    const auto row = std::find(rows.begin(), rows.end(), stretch.variant) - rows.begin();
    const double height = static_cast<double>(row) + 0.5;
    const Figure::Points ends = {{stretch.from, height}, {stretch.to, height}};
    figure.Line("e", ends);
    figure.Dots("p", ends);
    // A name stays within the picture.
    const bool begins_left = x.At(stretch.from) < (Figure::kLeft + Figure::kRight) / 2;
    figure.Text("l", begins_left ? "start" : "end", x.At(begins_left ? stretch.from : stretch.to),
                y.At(height) - 7, stretch.variant);
  }
  return absl::StrCat("<figure><figcaption>", Escaped(shown.sentence), ".</figcaption>",
                      figure.End(), "</figure>\n");
}

}  // namespace duetbench::page
