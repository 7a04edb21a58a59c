#ifndef DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
#define DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/times_csv.h"
#include "tools/duet_stat/options.h"
#include "tools/duet_stat/rules.h"

namespace duetbench::duet_stat {

// How much was measured of one variant of unpaired times.
struct SampleSize {
  std::size_t runs;
  std::size_t times;
};

// What the rules say of one benchmark whose variants were measured apart.
struct ComparedBenchmark {
  std::string name;
  SampleSize old_size;
  SampleSize new_size;
  std::vector<AppliedRule> rules;
  std::vector<std::string> notices;
};

struct UnpairedResult {
  std::vector<ComparedBenchmark> benchmarks;  // in the order of the old file
  std::vector<std::string> notices;           // also which benchmarks only one file has
};

// Applies options.rules to the benchmarks that both files have. InvalidArgument if there are none.
// Messages call the files by options.compare.
absl::StatusOr<UnpairedResult> CompareTimes(const TimesData& old_times, const TimesData& new_times,
                                            const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_COMPARISON_H_
