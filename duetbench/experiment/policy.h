#ifndef DUETBENCH_EXPERIMENT_POLICY_H_
#define DUETBENCH_EXPERIMENT_POLICY_H_

#include <string>
#include <utility>

#include "duetbench/decide/evidence.h"
#include "duetbench/experiment/course.h"

// The policy of an experiment: from the evidence so far to the next run, as a list of rules. Pure
// functions of values; the driver is Experiment (experiment.h), the numbers are those of
// MeasuringPolicy.
namespace duetbench {

// The next step of an experiment, and the reason.
struct Step {
  enum class Kind {
    kLaunch,   // a run with course.plan, for `purpose`
    kMeasure,  // nothing: the variants are calibrated, and the time that is left is divided
    kRestart,  // the runs that measured are given up
    kEnd,      // the runs so far are the experiment
  };
  Kind kind = Kind::kEnd;
  RunPurpose purpose = RunPurpose::kMeasuring;
  Course course;       // from now on
  std::string reason;  // one line for people

  // For rules: makes it a launch with the plan of the course. Returns true.
  bool Launch(RunPurpose for_purpose, std::string why) {
    kind = Kind::kLaunch;
    purpose = for_purpose;
    reason = std::move(why);
    return true;
  }
};

// The first rule that applies, as they are listed in policy.cc. After a step that
// is no launch it is asked again, with what the step made of the evidence.
Step NextStep(const Evidence& evidence, Course course, const Setting& setting);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_POLICY_H_
