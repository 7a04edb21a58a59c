#ifndef DUETBENCH_TOOLS_DUET_REPORT_PAGE_FIGURE_H_
#define DUETBENCH_TOOLS_DUET_REPORT_PAGE_FIGURE_H_

#include <string>
#include <utility>
#include <vector>

namespace duetbench::page {

struct Tick {
  double value;
  std::string text;
};

// Maps values to pixels. On a logarithmic axis the same ratio has the same length everywhere.
class Axis {
 public:
  enum class Scale { kLinear, kLog };

  // lo < hi; on a logarithmic axis lo > 0. Pixels may go down.
  Axis(Scale scale, double lo, double hi, double from_pixel, double to_pixel);

  double lo() const { return lo_; }
  double hi() const { return hi_; }
  double from() const { return from_; }
  double to() const { return to_; }

  // The pixel of `value`; of values outside, that of the nearer end.
  double At(double value) const;

  // Round values, about `most` of them, with as many digits as tell them apart: steps of 1, 2 or 5
  // times a power of ten or, over a range of a factor of 5 and more, such values themselves.
  std::vector<Tick> Ticks(int most) const;

 private:
  Scale scale_;
  double lo_;
  double hi_;
  double from_;
  double to_;
};

// Smallest and largest of what a picture must show on a logarithmic axis.
struct Extent {
  double lo = 0;  // 0: nothing yet
  double hi = 0;

  // Leaves out what is not positive and finite.
  void Add(double value);

  // Adds it unless all else would become a line. Returns whether it is shown.
  bool AddIfNear(double value);

  // A logarithmic axis with some room on both sides, at least a factor of `least_room`.
  Axis ToAxis(double from_pixel, double to_pixel, double least_room = 1.0005) const;
};

// A picture with two axes as inline SVG. Colors, widths and fonts are those of the classes in
// kStyle. Each method appends elements.
class Figure {
 public:
  static constexpr double kWidth = 440;
  static constexpr double kHeight = 200;
  static constexpr double kLeft = 52;
  static constexpr double kRight = 426;
  static constexpr double kTop = 20;
  static constexpr double kBottom = 170;

  // `description` is read out in place of the picture, beside its caption.
  Figure(const std::string& description, const Axis& x, const Axis& y);

  // Grid lines and numbers; the title stands at the end of the axis.
  void XTicks(const std::vector<Tick>& ticks, const std::string& title);
  void YTicks(const std::vector<Tick>& ticks, const std::string& title);

  // A line through (x, y) points.
  using Points = std::vector<std::pair<double, double>>;
  void Line(const char* style, const Points& points);
  // A dot at each.
  void Dots(const char* style, const Points& points);
  // Lines and areas through the whole picture.
  void Horizontal(const char* style, double y);
  void HorizontalBand(const char* style, double lo, double hi);
  // Short lines at the lower end.
  void Rug(const char* style, const std::vector<double>& xs);
  // `anchor` is start, middle or end.
  void Text(const char* style, const char* anchor, double x_pixel, double y_pixel,
            const std::string& text);
  // A mark and a word at the top for each kind of line.
  void Legend(const std::vector<std::pair<const char*, std::string>>& entries);

  std::string End() const { return svg_ + "</svg>"; }

 private:
  void Path(const char* style, const std::string& data);
  // A path through the points; with `then`, marks at each instead of lines.
  std::string Moves(const Points& points, const char* then) const;

  Axis x_;
  Axis y_;
  std::string svg_;
};

}  // namespace duetbench::page

#endif  // DUETBENCH_TOOLS_DUET_REPORT_PAGE_FIGURE_H_
