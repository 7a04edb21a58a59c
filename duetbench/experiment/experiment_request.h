#ifndef DUETBENCH_EXPERIMENT_EXPERIMENT_REQUEST_H_
#define DUETBENCH_EXPERIMENT_EXPERIMENT_REQUEST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

// The task of one call of ExperimentHost::Measure.
struct ExperimentRequest {
  std::string name;    // for the progress line, the file of pairs and the seed
  int repetition = 0;  // for the seed
  // The process of a run, but for `executable` and `executes`. A start has no `serve`.
  RunCommand command;
  DuetFunctions functions;  // with ranges
  ExperimentOptions options;
  std::shared_ptr<const TwoPrograms> programs;            // DuetSpec::programs
  std::vector<std::shared_ptr<const TwoPrograms>> group;  // DuetGroup::programs, of its runs
  // The code layouts of its runs; null: as linked. Set by ExperimentHost::Begin for variants of
  // this program.
  std::shared_ptr<const CodeLayouts> layouts;
  std::vector<ExperimentRequest> duets;       // of a group, those with the base first
  GroupQuestions questions;                   // of `duets`
  std::vector<std::string> callgrind_events;  // EventSurvey::by_callgrind
  bool requires_callgrind = false;            // a gate is on one of them
};

// The task of its run with `plan`.
RunTask TaskOf(const ExperimentRequest& request, const RunPlan& plan);

// The process of a run, or those of its variants. `copies` are the executables of
// ExperimentRequest::layouts for this run; empty: they are started as they are linked.
std::vector<RunCommand> CommandsOf(const ExperimentRequest& request, const RunTask& task,
                                   bool in_one_process, absl::Span<const Descriptor> copies = {});

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPERIMENT_REQUEST_H_
