#include "duetbench/measure/run_randomization.h"

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cmath>
#include <numeric>

#include "absl/types/span.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

constexpr uint32_t kCombinations = 8;

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

RunRandomization DrawRandomization(uint64_t seed, uint32_t run) {
  std::vector<uint32_t> combinations(kCombinations);
  std::iota(combinations.begin(), combinations.end(), 0u);
  stats::Random(seed, StreamOf(kRoleOrder, run / kCombinations)).Shuffle(combinations);
  const uint32_t combination = combinations[run % kCombinations];

  RunRandomization randomization{};
  randomization.variant_of_thread[0] = static_cast<int>(combination & 1u);
  randomization.variant_of_thread[1] = 1 - randomization.variant_of_thread[0];
  randomization.thread_set_up_first = static_cast<int>(combination >> 1 & 1u);
  randomization.first_assignment = static_cast<int>(combination >> 2 & 1u);
  stats::Random layout(seed, StreamOf(kLayout, run));
  randomization.first_of_group = static_cast<int>(run);
  randomization.stack_offset = 16 * layout.Below(4096 / 16);
  randomization.heap_seed = layout.Next();
  return randomization;
}

uint64_t SeedOfInputs(uint64_t seed, uint32_t run) {
  return stats::Random(seed, StreamOf(kInputs, run)).Next();
}

int SetUpPosition(const RunRandomization& randomization, int loop, int loops) {
  if (loops > 2) return (loop + randomization.first_of_group) % loops;
  return loop == randomization.thread_set_up_first ? 0 : 1;
}

int VariantAtPlace(uint64_t seed, uint64_t turn, int variants, int place) {
  const auto size = static_cast<uint64_t>(variants);
  // Without memory of the heap, in which the variants have theirs.
  int storage[kMaxVariants];
  absl::Span<int> order(storage, size);
  std::iota(order.begin(), order.end(), 0);
  stats::Random(seed, StreamOf(kTurnOrder, turn / size)).Shuffle(order);
  return order[(static_cast<uint64_t>(place) + turn) % size];
}

HeapPlacement::HeapPlacement(uint64_t seed) {
  stats::Random random(seed);
  constexpr uint64_t kPages = 512;  // of a huge page
  mapped_bytes_ = kPageBytes * (1 + random.Below(kPages));
  mapping_ = mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::vector<std::unique_ptr<char[]>> freed;
  kept_.reserve(kPairsOfBlocks);
  freed.reserve(kPairsOfBlocks);
  for (size_t i = 0; i < kPairsOfBlocks; ++i) {
    freed.push_back(Allocate(&random));
    kept_.push_back(Allocate(&random));
  }
}

HeapPlacement::~HeapPlacement() {
  if (mapping_ != MAP_FAILED) munmap(mapping_, mapped_bytes_);
}

}  // namespace duetbench
