#include "duetbench/page/extent.h"

#include <algorithm>
#include <cmath>

namespace duetbench::page {

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
