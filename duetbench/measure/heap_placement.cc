#include "duetbench/measure/heap_placement.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <utility>

#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

constexpr size_t kPairsOfBlocks = 32;
constexpr double kLeastBytes = 16;
constexpr double kMostBytes = 64 << 10;

std::unique_ptr<char[]> Allocate(stats::Random* random) {
  const double bytes = kLeastBytes * std::pow(kMostBytes / kLeastBytes, random->Uniform());
  // Not initialized: its pages are not touched.
  std::unique_ptr<char[]> block(new char[static_cast<size_t>(bytes)]);
  benchmark::DoNotOptimize(block.get());
  return block;
}

}  // namespace

HeapPlacement::HeapPlacement(uint64_t seed) {
  stats::Random random(seed);
  std::vector<std::unique_ptr<char[]>> freed;
  kept_.reserve(kPairsOfBlocks);
  freed.reserve(kPairsOfBlocks);
  for (size_t i = 0; i < kPairsOfBlocks; ++i) {
    freed.push_back(Allocate(&random));
    kept_.push_back(Allocate(&random));
  }
}

}  // namespace duetbench
