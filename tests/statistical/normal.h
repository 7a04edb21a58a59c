#ifndef DUETBENCH_TESTS_STATISTICAL_NORMAL_H_
#define DUETBENCH_TESTS_STATISTICAL_NORMAL_H_

#include <cmath>

#include "duetbench/platform/random.h"

namespace duetbench::stats {

// Standard normal numbers (Marsaglia's polar method), portable like Random.
class Normal {
 public:
  explicit Normal(Random& random) : random_(random) {}
  double Next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * random_.Uniform() - 1;
      y = 2 * random_.Uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * factor;
    has_spare_ = true;
    return x * factor;
  }

 private:
  Random& random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATISTICAL_NORMAL_H_
