#include "duetbench/runner/roles.h"

#include <numeric>
#include <vector>

#include "duetbench/stats/random.h"

namespace duetbench {
namespace {

constexpr uint32_t kCombinations = 8;

// Streams of the experiment's seed, apart from each other.
enum Stream : uint64_t { kRoleOrder = 1, kLayout = 2, kPairOrder = 3 };

uint64_t StreamOf(Stream stream, uint64_t index) { return index * 8 + stream; }

}  // namespace

Roles DrawRoles(uint64_t seed, uint32_t run) {
  std::vector<uint32_t> combinations(kCombinations);
  std::iota(combinations.begin(), combinations.end(), 0u);
  stats::Random(seed, StreamOf(kRoleOrder, run / kCombinations)).Shuffle(combinations);
  const uint32_t combination = combinations[run % kCombinations];

  Roles roles{};
  roles.variant_of_thread[0] = static_cast<int>(combination & 1u);
  roles.variant_of_thread[1] = 1 - roles.variant_of_thread[0];
  roles.thread_set_up_first = static_cast<int>(combination >> 1 & 1u);
  roles.first_assignment = static_cast<int>(combination >> 2 & 1u);
  stats::Random layout(seed, StreamOf(kLayout, run));
  roles.stack_offset = 16 * layout.Below(4096 / 16);
  roles.heap_padding = 16 + layout.Below((32 << 10) - 16);
  return roles;
}

bool OldGoesFirst(uint64_t seed, uint32_t run, uint64_t index) {
  stats::Random random(seed, StreamOf(kPairOrder, (uint64_t{run} << 40) + index / 2));
  return ((random.Next() >> 32 & 1u) ^ (index & 1u)) != 0;
}

}  // namespace duetbench
