#ifndef DUETBENCH_PAGE_EXTENT_H_
#define DUETBENCH_PAGE_EXTENT_H_

#include "duetbench/page/axis.h"

namespace duetbench::page {

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

#endif  // DUETBENCH_PAGE_EXTENT_H_
