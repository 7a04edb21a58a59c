#ifndef DUETBENCH_PAGE_AXIS_H_
#define DUETBENCH_PAGE_AXIS_H_

#include <string>
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

// A tick at each of the ascending whole numbers `values`; those whose numbers would overlap on the
// horizontal `axis` are left out.
std::vector<Tick> TicksAt(const std::vector<double>& values, const Axis& axis);

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

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_AXIS_H_
