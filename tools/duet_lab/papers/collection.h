#ifndef DUETBENCH_TOOLS_DUET_LAB_PAPERS_COLLECTION_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAPERS_COLLECTION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/duet_lab/roles.h"
#include "tools/duet_stat/pairs_data.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::lab {

// One experiment with duetbench itself, in separate processes.
struct DuetPlan {
  DuetWork work;
  std::string schedule = "duet";  // as --duet_schedule takes it
  int runs = 10;
  double run_seconds = 1;  // of measuring, each run
  bool fill = false;
  uint64_t seed = 1;
  std::string cpus;  // "0,1"; empty: the library chooses
};

// The pairs of the experiment, disturbed ones beside the others, as duet_stat reads them.
absl::StatusOr<duet_stat::BenchmarkPairs> CollectPairs(const DuetPlan& plan);

// The standard method (tools/stats/rules/decision_rules.h): whole runs of one variant each,
// `runs` of each of the two, in random order.
struct StandardTimes {
  stats::Sample old_times;
  stats::Sample new_times;
};
absl::StatusOr<StandardTimes> CollectStandard(const DuetWork& work, int runs, double run_seconds,
                                              uint64_t seed);

// The first part of each run of the sample, a fraction of its times (at least one time).
stats::Sample FirstPart(const stats::Sample& sample, double fraction);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAPERS_COLLECTION_H_
