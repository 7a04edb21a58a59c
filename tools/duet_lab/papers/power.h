#ifndef DUETBENCH_TOOLS_DUET_LAB_PAPERS_POWER_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAPERS_POWER_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench::lab {

// The record that `duet_lab power` keeps of one experiment. Pure.
struct PowerRecord {
  std::string key;  // KeyOf() what follows
  std::string schedule;
  double effect = 0;   // new takes 1 + effect times as long
  int experiment = 0;  // of this schedule and effect, from 0
  // By interval kind, "paper" being the published procedure; a kind without interval is absent. An
  // unbounded interval is [0, 1e300].
  std::map<std::string, std::pair<double, double>> intervals;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PowerRecord, key, schedule, effect, experiment, intervals)

// Identifies an experiment: "duet,0.005,7".
std::string KeyOf(const std::string& schedule, double effect, int experiment);

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
