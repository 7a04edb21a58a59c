#include "tools/duet_report/page/curves.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tools/duet_report/page/figure.h"
#include "tools/duet_report/page/html.h"

namespace duetbench::page {
namespace {

constexpr size_t kMinPoints = 3;

struct NameParts {
  std::vector<std::string> parts;
  std::map<size_t, std::pair<std::string, int64_t>> arguments;  // by position: name and value
};

NameParts PartsOf(const std::string& name) {
  // As Google Benchmark names its options.
  static const std::set<std::string>* const kOptions =
      new std::set<std::string>{"iterations", "repeats", "min_time", "min_warmup_time", "threads"};
  NameParts result;
  result.parts = absl::StrSplit(name, '/');
  for (size_t i = 1; i < result.parts.size(); ++i) {
    const std::string& part = result.parts[i];
    const size_t colon = part.rfind(':');
    const std::string label = colon == std::string::npos ? "" : part.substr(0, colon);
    int64_t value = 0;
    if (kOptions->count(label) > 0) continue;
    if (!absl::SimpleAtoi(part.substr(label.empty() ? 0 : colon + 1), &value) || value <= 0)
      continue;
    result.arguments[i] = {label.empty() ? "n" : label, value};
  }
  return result;
}

// The name without its argument at `position`, or without any.
std::string FamilyName(const NameParts& name, size_t position, bool all) {
  std::vector<std::string> parts = name.parts;
  for (const auto& [i, argument] : name.arguments) {
    if (!all && i != position) continue;
    const size_t colon = parts[i].rfind(':');
    parts[i] = absl::StrCat(colon == std::string::npos ? "" : parts[i].substr(0, colon + 1), "…");
  }
  return absl::StrJoin(parts, "/");
}

}  // namespace

std::vector<Curve> CurvesOf(const std::vector<Facts>& benchmarks) {
  std::vector<NameParts> names;
  std::map<std::string, std::map<size_t, std::set<int64_t>>> values;  // by family and position
  for (const Facts& benchmark : benchmarks) {
    const NameParts& name = names.emplace_back(PartsOf(benchmark.name));
    for (const auto& [position, argument] : name.arguments) {
      values[FamilyName(name, 0, /*all=*/true)][position].insert(argument.second);
    }
  }
  std::vector<Curve> curves;
  std::map<std::string, std::set<int64_t>> sizes;  // by curve
  for (size_t i = 0; i < benchmarks.size(); ++i) {
    if (!benchmarks[i].error.empty() || names[i].arguments.empty()) continue;
    const auto& positions = values[FamilyName(names[i], 0, /*all=*/true)];
    const auto most = std::max_element(
        positions.begin(), positions.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    const auto& [argument, size] = names[i].arguments.at(most->first);
    const std::string family = FamilyName(names[i], most->first, /*all=*/false);
    if (!sizes[family].insert(size).second) continue;
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [&](const Curve& known) { return known.family == family; });
    if (curve == curves.end()) curve = curves.insert(curve, {family, argument, {}});
    curve->points.push_back({static_cast<double>(size), benchmarks[i].interval});
  }
  curves.erase(std::remove_if(curves.begin(), curves.end(),
                              [](const Curve& c) { return c.points.size() < kMinPoints; }),
               curves.end());
  for (Curve& curve : curves) {
    std::sort(curve.points.begin(), curve.points.end(),
              [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  }
  return curves;
}

std::string RatioOverArgument(const Curve& curve) {
  double lo = 1;
  double hi = 1;
  Figure::Points line;
  Figure::Points lower;
  Figure::Points upper;
  std::vector<double> sizes;
  for (const CurvePoint& point : curve.points) {
    sizes.push_back(point.x);
    const stats::RatioInterval& interval = point.interval;
    const double low = interval.lo > 0 ? interval.lo : interval.ratio / 10;
    const double high = std::isfinite(interval.hi) ? interval.hi : interval.ratio * 10;
    lo = std::min(lo, low);
    hi = std::max(hi, high);
    line.emplace_back(point.x, interval.ratio);
    lower.emplace_back(point.x, low);
    upper.emplace_back(point.x, high);
  }
  const double room = std::max(1.002, std::pow(hi / lo, 0.06));
  const double wide = std::pow(curve.points.back().x / curve.points.front().x, 0.04);
  const Axis x(Axis::Scale::kLog, curve.points.front().x / wide, curve.points.back().x * wide,
               Figure::kLeft, Figure::kRight);
  const Axis y(Axis::Scale::kLog, lo / room, hi * room, Figure::kBottom, Figure::kTop);
  Figure figure(absl::StrCat("Ratio of ", curve.family, " over ", curve.argument), x, y);
  figure.XTicks(TicksAt(sizes, x), absl::StrCat(curve.argument, ", log scale"));
  figure.YTicks(y.Ticks(6), "new/old, log scale; below 1 new is faster");
  figure.Band("b", lower, upper);
  figure.Horizontal("one", 1);
  figure.Line("r", line);
  figure.Dots("p", line);
  return absl::StrCat("<figure><figcaption><b>", Escaped(curve.family), "</b></figcaption>",
                      figure.End(), "</figure>\n");
}

}  // namespace duetbench::page
