#include "duetbench/page/axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench::page {
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

std::vector<Tick> TicksAt(const std::vector<double>& values, const Axis& axis) {
  constexpr double kDigit = 7.2;  // pixels
  constexpr double kGap = 6;
  std::vector<Tick> ticks;
  double end = -kGap;  // of the last one
  for (const double value : values) {
    const std::string text = absl::StrCat(static_cast<int64_t>(value));
    const double half = kDigit / 2 * static_cast<double>(text.size());
    if (!ticks.empty() && axis.At(value) - half <= end + kGap) continue;
    ticks.push_back({value, text});
    end = axis.At(value) + half;
  }
  return ticks;
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
