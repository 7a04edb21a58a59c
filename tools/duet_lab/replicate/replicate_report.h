#ifndef DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_
#define DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_

#include <string>
#include <vector>

#include "tools/duet_lab/lab_report.h"
#include "tools/duet_lab/replicate/replicate_plan.h"

namespace duetbench::lab {

struct ReplicatedPair {
  std::string name;
  bool is_held_out = false;
  bool is_of_group = false;  // one of GroupPairs
};

// Adds to the report what the records say: for each form and schedule a row for each pair, one over
// the tuning pairs, one over the hold-out and one over all. The first form and schedule is the one
// that the others are compared with. `details` gets every replication. Records of other pairs,
// forms and schedules are left out. The checks are the goals of the project, over all pairs. Pure.
void FillReplicateReport(const ReplicatePlan& plan, const std::vector<ReplicatedPair>& pairs,
                         const std::vector<ReplicateRecord>& records, LabReport* report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_
