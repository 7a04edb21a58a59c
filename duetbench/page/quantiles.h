#ifndef DUETBENCH_PAGE_QUANTILES_H_
#define DUETBENCH_PAGE_QUANTILES_H_

#include <string>
#include <vector>

#include "duetbench/page/benchmark.h"

namespace duetbench::page {

// A row of a table for each quantile of single calls: its ratio as a line across, its interval as a
// bar, both as numbers, the times and, where there are some, the gates. Empty where no quantiles
// were asked for. About 200 bytes for a quantile: a figure with axes takes two thousand.
std::string QuantileTable(const std::vector<ShownQuantile>& quantiles);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_QUANTILES_H_
