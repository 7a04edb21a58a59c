#ifndef DUETBENCH_TOOLS_STATS_PAIRING_GAIN_H_
#define DUETBENCH_TOOLS_STATS_PAIRING_GAIN_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// Gain of measuring both variants at the same moment: the factor by which the t interval of the
// trimmed estimator widens when the pairing is shuffled away (Bulej et al., ICPE 2020, section
// 4.2, RQ2). Above 1: pairing helped. Each shuffle moves the times of one variant, the two in turn,
// and every time keeps its CPU assignment and its round.
struct PairingGain {
  // Shuffled within each run. A mean of log-ratios does not depend on who is paired with whom, so
  // this shows only what pairing spares the *trimmed* mean: without it common spikes no longer
  // cancel, and trimming must deal with them. Close to 1 for smooth noise.
  double within;
  // Shuffled across everything, the shuffle of the paper: slow common interference, which differs
  // from run to run, no longer cancels either. Below 1 when the ratio itself differs from run to
  // run (memory layout): shuffling then mixes what the interval is honest about.
  double all;
};

// Nothing for fewer than two runs or runs without spread. The widths are root mean squares over
// several shuffles, fewer the more pairs there are; of more than 131,072 pairs every k-th is used
// (for shuffled and paired width alike). `runs` must pass CheckRuns. 10 ms for 20,000 pairs at
// most, 60 ms at most whatever the size beyond reading it.
std::optional<PairingGain> ComputePairingGain(absl::Span<const RunPairs> runs, std::uint64_t seed);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_PAIRING_GAIN_H_
