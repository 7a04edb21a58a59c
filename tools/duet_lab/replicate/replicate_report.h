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
};

// Adds to the report what the records say: a row for each pair, one over the tuning pairs, one over
// the hold-out and one over all. `details` gets every replication. Records of other pairs are left
// out. The checks are over all pairs. Pure.
void FillReplicateReport(const std::vector<ReplicatedPair>& pairs,
                         const std::vector<ReplicateRecord>& records, LabReport* report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_
