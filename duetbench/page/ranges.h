#ifndef DUETBENCH_PAGE_RANGES_H_
#define DUETBENCH_PAGE_RANGES_H_

#include <string>

#include "duetbench/page/benchmark.h"

namespace duetbench::page {

// Which variant of a group is the fastest at which sizes, and where the times of two cross, as a
// <figure>: a bar for each stretch, and a line with its interval for each crossing.
std::string FastestOverArgument(const ShownRange& shown);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_RANGES_H_
