#ifndef DUETBENCH_PAGE_QUANTILE_PICTURE_H_
#define DUETBENCH_PAGE_QUANTILE_PICTURE_H_

#include <string>
#include <vector>

#include "duetbench/page/benchmark.h"

// The quantiles of single calls of one benchmark. Empty where none were asked for.
namespace duetbench::page {

// The ratio of each quantile with its interval, as a <figure>. Empty without an interval.
std::string QuantileRatios(const std::vector<ShownQuantile>& quantiles);

// The same as numbers, with the times and the gates: a row of a table for each quantile.
std::string QuantileTable(const std::vector<ShownQuantile>& quantiles);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_QUANTILE_PICTURE_H_
