#ifndef DUETBENCH_EXPLAIN_TIME_DIFFERENCE_H_
#define DUETBENCH_EXPLAIN_TIME_DIFFERENCE_H_

#include <utility>
#include <vector>

namespace duetbench {

// The time per iteration in a part of the code, of old and new, and by how much new takes longer.
struct TimeDifference {
  double ns[2] = {0, 0};
  double difference_ns = 0;
  double lo_ns = 0;  // interval of the difference
  double hi_ns = 0;
  bool is_proven() const { return lo_ns > 0 || hi_ns < 0; }
};

// From the times of old and new in each run, two at least: their means, and Student's t interval of
// the difference that misses it with probability `alpha`.
TimeDifference DifferenceOf(const std::vector<std::pair<double, double>>& times, double alpha);

}  // namespace duetbench

#endif  // DUETBENCH_EXPLAIN_TIME_DIFFERENCE_H_
