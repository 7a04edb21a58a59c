#ifndef DUETBENCH_PAGE_PICTURES_H_
#define DUETBENCH_PAGE_PICTURES_H_

#include <string>

#include "duetbench/page/benchmark.h"

// The pictures of one benchmark: <figure> elements, empty where the data are not known.
namespace duetbench::page {

// Both variants over time in one run: what hits one at a moment hits the other.
std::string PairsOverTime(const ShownBenchmark& benchmark);

// The ratio of each run, the interval, the limits of the gate.
std::string RunRatios(const ShownBenchmark& benchmark);

// How the ratios of pairs are distributed.
std::string RatioDistribution(const ShownBenchmark& benchmark);

// How the times of both variants are distributed.
std::string TimeDistribution(const ShownBenchmark& benchmark);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_PICTURES_H_
