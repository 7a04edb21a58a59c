#ifndef DUETBENCH_TOOLS_DUET_LAB_PAPERS_POWER_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAPERS_POWER_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// The record that `duet_lab power` keeps of one experiment. Pure.
struct PowerRecord {
  std::string schedule;
  double effect = 0;   // new takes 1 + effect times as long
  int experiment = 0;  // of this schedule and effect, from 0
  // By interval kind, "paper" being the published procedure; a kind without interval is absent. An
  // unbounded interval is [0, 1e300].
  std::map<std::string, std::pair<double, double>> intervals;
};

// One line of JSON, without its line end; and back. InvalidArgument for a line that is none, such
// as one that was cut off.
std::string EncodePowerRecord(const PowerRecord& record);
absl::StatusOr<PowerRecord> DecodePowerRecord(absl::string_view line);

// The experiments of the lines of a state file after its first, each once, however often it was
// written. InvalidArgument names the first line that is none, which no interruption leaves there.
absl::StatusOr<std::vector<PowerRecord>> ReadPowerRecords(const std::vector<std::string>& lines);

// The number of intervals that excluded 1 on the right side (effect > 0: above 1; 0: either side).
struct PowerCount {
  int experiments = 0;
  int found = 0;
  double lo = 0;  // 95 % interval of the true share (Clopper and Pearson)
  double hi = 1;
};

PowerCount CountFound(const std::vector<PowerRecord>& records, absl::string_view schedule,
                      double effect, const std::string& kind);

// The exact binomial interval of the share of `found` of `experiments`; [0, 1] of none.
std::pair<double, double> ClopperPearson(int found, int experiments, double level);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAPERS_POWER_H_
