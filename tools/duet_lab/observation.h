#ifndef DUETBENCH_TOOLS_DUET_LAB_OBSERVATION_H_
#define DUETBENCH_TOOLS_DUET_LAB_OBSERVATION_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// Result of one experiment on one duet benchmark.
struct Observation {
  std::string name;
  double ratio = 1;
  double lo = 0;  // of the interval; infinite upper end: it could not be bounded
  double hi = 0;
  double level = 0.99;
  std::string verdict;  // "FASTER", "SLOWER", "EQUAL", "INCONCLUSIVE"
  int runs = 0;
  double pairs = 0;
  double dropped = 0;
  int schedule = -1;        // number of the schedule in use (schedule.h); -1: not reported
  std::string error;        // not empty: there is no result, and this is why
  double wall_seconds = 0;  // of the experiment; not in the file, set by who ran it
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Observation, name, ratio, lo, hi, level, verdict, runs, pairs,
                                   dropped, schedule, error, wall_seconds)

// The duet benchmarks in a JSON file of Google Benchmark's format as duet programs write it: rows
// with a ratio, and rows of errors. Other rows are passed over. InvalidArgument when it is no such
// file.
absl::StatusOr<std::vector<Observation>> ParseObservations(absl::string_view json);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_OBSERVATION_H_
