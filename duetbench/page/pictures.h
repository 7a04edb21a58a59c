#ifndef DUETBENCH_PAGE_PICTURES_H_
#define DUETBENCH_PAGE_PICTURES_H_

#include <string>

#include "duetbench/page/benchmark.h"

// The pictures of one benchmark: <figure> elements, empty where the data are not known.
namespace duetbench::page {

// Both variants over time in one run: what hits one at a moment hits the other.
std::string PairsOverTime(const ShownBenchmark& benchmark);

// Its picture as an SVG document, light or dark as the reader prefers, without a
// caption: for documents that show pictures but no HTML. Empty without pairs.
std::string PairsOverTimeSvg(const ShownBenchmark& benchmark);

// The ratio of each run, the interval, the limits of the gate.
std::string RunRatios(const ShownBenchmark& benchmark);

// The distribution of the ratios of pairs.
std::string RatioDistribution(const ShownBenchmark& benchmark);

// The distribution of the times of both variants.
std::string TimeDistribution(const ShownBenchmark& benchmark);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_PICTURES_H_
