#include "tools/duet_report/page/pictures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/text.h"
#include "tools/duet_report/page/figure.h"
#include "tools/duet_report/page/html.h"

namespace duetbench::page {
namespace {

using Scale = Axis::Scale;

std::string WithCaption(const std::string& title, const std::string& text, const Figure& figure) {
  return absl::StrCat("<figure><figcaption><b>", Escaped(title), "</b> ", Escaped(text),
                      "</figcaption>", figure.End(), "</figure>\n");
}

bool HasLimit(double limit) { return limit > 0 && std::isfinite(limit); }

double QuantileOfTimes(std::vector<double> times, double share) {
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), times.begin() + rank, times.end());
  return times[static_cast<size_t>(rank)];
}

}  // namespace

std::string PairsOverTime(const Facts& benchmark) {
  const RunPicture& picture = benchmark.picture;
  if (picture.shown.size() < 2) return "";
  std::vector<double> times;
  for (const ShownPair& pair : picture.shown) {
    times.insert(times.end(), std::begin(pair.time), std::end(pair.time));
  }
  // A few spikes must not make all else a flat line.
  Extent extent;
  extent.Add(*std::min_element(times.begin(), times.end()));
  extent.Add(
      std::min(*std::max_element(times.begin(), times.end()), 1.5 * QuantileOfTimes(times, 0.98)));
  const TimeUnit unit = UnitFor(extent.lo);
  extent.lo /= unit.ns;
  extent.hi /= unit.ns;
  const Axis x(Scale::kLinear, 1, static_cast<double>(picture.pairs), Figure::kLeft,
               Figure::kRight);
  const Axis y = extent.ToAxis(Figure::kBottom, Figure::kTop, 1.01);

  Figure::Points lines[2];
  std::vector<double> disturbed;
  for (size_t i = 0; i < picture.shown.size(); ++i) {
    const auto number = static_cast<double>(i * picture.step + 1);
    for (int v = 0; v < 2; ++v) lines[v].emplace_back(number, picture.shown[i].time[v] / unit.ns);
    if (picture.shown[i].disturbed) disturbed.push_back(number);
  }
  const std::string text = absl::StrCat(
      picture.step == 1
          ? absl::StrCat("The ", Plural(picture.pairs, "pair"))
          : absl::StrCat("One in ", picture.step, " of the ", Plural(picture.pairs, "pair")),
      " of run ", picture.run + 1,
      benchmark.one_at_a_time
          ? ": both variants over time, one after the other. What lasts for a while hits both and "
            "leaves their distance as it is."
          : ": both variants over time, at the same moments. What hits both leaves their distance "
            "as it is.",
      picture.disturbed == 0 ? ""
                             : absl::StrCat(" Marks below: ", Plural(picture.disturbed, "pair"),
                                            " with a variant preempted or moved."));
  Figure figure("Pairs of one run over time", x, y);
  // Whole numbers: of a few pairs not more ticks than there are.
  figure.XTicks(x.Ticks(static_cast<int>(std::min<size_t>(6, picture.pairs - 1))), "pair");
  figure.YTicks(y.Ticks(5), absl::StrCat(unit.name, " per iteration, log scale"));
  figure.Line("o", lines[0]);
  figure.Line("n", lines[1]);
  figure.Rug("d", disturbed);
  figure.Legend({{"o", "old"}, {"n", "new"}});
  return WithCaption("Pairs.", text, figure);
}

std::string RunRatios(const Facts& benchmark) {
  const std::vector<double>& runs = benchmark.run_log_ratios;
  if (runs.size() < 2) return "";
  const stats::RatioInterval& interval = benchmark.interval;
  Extent extent;
  for (const double run : runs) extent.Add(std::exp(run));
  for (const double end : {interval.ratio, interval.lo, interval.hi}) extent.Add(end);
  const bool shows_one = extent.AddIfNear(1);
  const double limits[2] = {benchmark.allowed_lo, benchmark.allowed_hi};
  bool shows_limit[2] = {false, false};
  for (int i = 0; i < 2; ++i) shows_limit[i] = HasLimit(limits[i]) && extent.AddIfNear(limits[i]);
  const Axis x(Scale::kLinear, 0.5, static_cast<double>(runs.size()) + 0.5, Figure::kLeft,
               Figure::kRight);
  const Axis y = extent.ToAxis(Figure::kBottom, Figure::kTop);
  Figure::Points dots;
  for (size_t i = 0; i < runs.size(); ++i) {
    dots.emplace_back(static_cast<double>(i + 1), std::exp(runs[i]));
  }
  const std::string text = absl::StrCat(
      "The ratio of each of ", Plural(runs.size(), "run"), ", the estimate and its ",
      absl::StrFormat("%g", 100 * interval.level), " % interval ", IntervalText(interval), ".",
      shows_one            ? ""
      : interval.ratio > 1 ? " 1, no difference, lies far below."
                           : " 1, no difference, lies far above.");
  Figure figure("Ratios of the runs", x, y);
  figure.XTicks(runs.size() <= 12 ? Axis(Scale::kLinear, 1, static_cast<double>(runs.size()), 0, 1)
                                        .Ticks(static_cast<int>(runs.size()) - 1)
                                  : x.Ticks(8),
                "run");
  figure.YTicks(y.Ticks(5), "new/old");
  figure.HorizontalBand("b", interval.lo, interval.hi);
  figure.Horizontal("e", interval.ratio);
  std::vector<std::pair<const char*, std::string>> legend = {{"e", "estimate"}};
  if (shows_one) {
    figure.Horizontal("one", 1);
    legend.emplace_back("one", "1");
  }
  for (int i = 0; i < 2; ++i) {
    if (shows_limit[i]) figure.Horizontal("lim", limits[i]);
  }
  if (shows_limit[0] || shows_limit[1]) legend.emplace_back("lim", "limit");
  figure.Dots("p", dots);
  figure.Legend(legend);
  return WithCaption("Runs.", text, figure);
}

}  // namespace duetbench::page
