#include "tools/duet_stat/shuffle.h"

#include <cstddef>

#include "absl/types/span.h"
#include "duetbench/stats/random.h"

namespace duetbench::duet_stat {
namespace {

void ShuffleAll(absl::Span<stats::RunPairs> runs, stats::Random& random) {
  for (const int assignment : {0, 1}) {
    std::vector<double> deck;
    for (const stats::RunPairs& run : runs) {
      for (const stats::Pair& pair : run) {
        if (pair.assignment == assignment) deck.push_back(pair.new_time);
      }
    }
    random.Shuffle(deck);
    std::size_t next = 0;
    for (stats::RunPairs& run : runs) {
      for (stats::Pair& pair : run) {
        if (pair.assignment == assignment) pair.new_time = deck[next++];
      }
    }
  }
}

}  // namespace

void ShufflePairs(Shuffle how, std::uint64_t seed, std::vector<stats::RunPairs>& runs) {
  stats::Random random(seed);
  if (how == Shuffle::kAll) ShuffleAll(absl::MakeSpan(runs), random);
  if (how != Shuffle::kWithinRuns) return;
  for (stats::RunPairs& run : runs) ShuffleAll(absl::MakeSpan(&run, 1), random);
}

}  // namespace duetbench::duet_stat
