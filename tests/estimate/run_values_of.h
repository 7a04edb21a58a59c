#ifndef DUETBENCH_TESTS_ESTIMATE_RUN_VALUES_OF_H_
#define DUETBENCH_TESTS_ESTIMATE_RUN_VALUES_OF_H_

#include <vector>

#include "duetbench/decision/run_value.h"

namespace duetbench {

// Runs with these log-ratios, of which nothing else is known.
inline std::vector<stats::RunValue> RunValuesOf(const std::vector<double>& log_ratios) {
  std::vector<stats::RunValue> values(log_ratios.size());
  for (std::size_t run = 0; run < values.size(); ++run) values[run].log_ratio = log_ratios[run];
  return values;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_ESTIMATE_RUN_VALUES_OF_H_
