#ifndef DUETBENCH_STATS_ALTERNATIVE_H_
#define DUETBENCH_STATS_ALTERNATIVE_H_

namespace duetbench::stats {

// The hypothesis that a small p-value speaks for: that the first sample (or the differences) is
// other than, above, or below what the null hypothesis says.
enum class Alternative { kTwoSided, kGreater, kLess };

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_ALTERNATIVE_H_
