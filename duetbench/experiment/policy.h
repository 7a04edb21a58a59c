#ifndef DUETBENCH_EXPERIMENT_POLICY_H_
#define DUETBENCH_EXPERIMENT_POLICY_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/course.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/record/run_result.h"

// The policy of an experiment: from the evidence so far to the next run, as a list of rules. Pure
// functions of values; the driver is Experiment (experiment.h), the numbers are those of
// MeasuringPolicy.
namespace duetbench {

// The purpose for which a run is launched.
enum class RunPurpose {
  kCheck,                 // both variants compute the same
  kDryRun,                // both variants work
  kCalibration,           // iterations of a sample, costs; in blocks, if the schedule may be chosen
  kCalibrationOnAllCpus,  // again, for variants that start threads
  kLongCalls,             // would long calls tell the same as those of the runs that measure?
  kMeasuring,             // its pairs make the result
};

// All that is known about an experiment: its options, the machine, and its runs so far. Runs that
// failed are not among them.
struct Evidence {
  const ExperimentOptions& options;
  const Machine& machine;
  std::optional<RunPurpose> last = {};  // purpose of the last run; nothing: there was none
  RunOfPairs calibration = {};          // the last one; empty once runs measure
  // The runs that measure and count, in their order; by pair of variants (RunOfPairs).
  std::vector<std::vector<RunResult>> pairs = std::vector<std::vector<RunResult>>(1);
  // Those of long calls, likewise: by the number of the run that measures with the same layouts.
  std::vector<std::vector<RunResult>> long_calls = std::vector<std::vector<RunResult>>(1);
  TimeAccount account = {};   // of all runs
  bool is_measuring = false;  // the variants are calibrated
  bool is_enough = false;     // says the stopping rule of `results`
  std::optional<double> seconds =
      {};  // that a stopping rule allows for all runs; nothing: min_time

  const std::vector<RunResult>& results() const { return pairs.front(); }  // of the first pair
};

// The next step of an experiment, and the reason.
struct Step {
  enum class Kind {
    kLaunch,         // a run with `plan`, for `purpose`
    kMeasure,        // nothing: the variants are calibrated, and the time that is left is divided
    kRestart,        // the runs that measured are given up
    kTakeLongCalls,  // likewise, and those of long calls take their place
    kEnd,            // the runs so far are the experiment
  };
  Kind kind = Kind::kEnd;
  RunPurpose purpose = RunPurpose::kMeasuring;
  RunPlan plan;        // of the launch
  Course course;       // from now on
  std::string reason;  // one line for people

  // For rules: makes it a launch with the plan of the course. Returns true.
  bool Launch(RunPurpose for_purpose, std::string why) {
    kind = Kind::kLaunch;
    plan = course.plan;
    purpose = for_purpose;
    reason = std::move(why);
    return true;
  }
};

// The first rule that applies, as they are listed in policy.cc. After a step that
// is no launch it is asked again, with what the step made of the evidence.
Step NextStep(const Evidence& evidence, Course course);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_POLICY_H_
