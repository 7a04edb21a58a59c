#ifndef DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_
#define DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/lab_report.h"
#include "tools/duet_lab/pairs/code_pairs.h"
#include "tools/duet_lab/replicate/replicate_statistics.h"

// The tasks of `duet_lab replicate`, and what each of them brought. Pure.
namespace duetbench::lab {

// One program to run, or for plain loops two.
struct ReplicateTask {
  std::string pair;  // Google Benchmark measures its two functions, each in a process; empty: one
                     // program measures all pairs as duets
  int replication = 0;  // of this pair, from 0
  double moment = 0;    // seconds from the beginning at which it starts at the earliest

  bool is_plain() const { return !pair.empty(); }
};

// Identifies a task: "duets,3", "plain,PAIR,3".
std::string KeyOf(const ReplicateTask& task);

struct ReplicatePlan {
  std::vector<std::string> pairs;
  int replications = 10;
  int plain_visits = 20;
  double seconds = 0;  // over which the tasks are spread; 0: no pause, in random order
  uint64_t seed = 1;
};

// All tasks in the order of their moments. The replications of one pair, and those of all as
// duets, lie at a random moment of each of as many equal parts of the time.
std::vector<ReplicateTask> PlanTasks(const ReplicatePlan& plan);

// The result of a task.
struct ReplicateRecord {
  std::string key;          // of the task
  double at = 0;            // begin of the task, seconds since 1970
  double wall_seconds = 0;  // of the task
  std::vector<Observation> duets;
  PlainVisit plain;
  std::string error;  // of plain loops; duets have their own
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplicateRecord, key, at, wall_seconds, duets, plain, error)

// Adds to the report what the records say: a row for each pair, one over the tuning pairs, one over
// the hold-out and one over all. `details` gets every replication. Records of other pairs are left
// out. The checks are over all pairs. Pure.
void FillReplicateReport(const std::vector<CodePair>& pairs,
                         const std::vector<ReplicateRecord>& records, LabReport* report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_REPLICATE_REPORT_H_
