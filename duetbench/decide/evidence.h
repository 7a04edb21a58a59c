#ifndef DUETBENCH_DECIDE_EVIDENCE_H_
#define DUETBENCH_DECIDE_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "duetbench/decide/time_account.h"
#include "duetbench/measure/launched_run.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// The purpose for which a run is launched.
enum class RunPurpose {
  kCheck,                 // both variants compute the same
  kDryRun,                // both variants work
  kCalibration,           // iterations of a sample, costs; in blocks, if the schedule may be chosen
  kCalibrationOnAllCpus,  // again, for variants that start threads
  kMeasuring,             // its pairs make the result
};

// All that is known about an experiment: its runs so far. Runs that failed are not among them.
struct Evidence {
  std::optional<RunPurpose> last;          // purpose of the last run; nothing: there was none
  std::optional<LaunchedRun> calibration;  // the last one; none once runs measure
  // The runs that measure and count, in their order; by pair of variants (LaunchedRun::pairs).
  std::vector<std::vector<RunResult>> pairs = std::vector<std::vector<RunResult>>(1);
  uint32_t first_run = 0;         // number of the first of them: earlier ones were given up
  TimeAccount account;            // of all runs
  bool is_measuring = false;      // the variants are calibrated
  bool is_enough = false;         // says the stopping rule of `results`
  std::optional<double> seconds;  // that a stopping rule allows for all runs; nothing: min_time

  const std::vector<RunResult>& results() const { return pairs.front(); }  // of the first pair
};

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_EVIDENCE_H_
