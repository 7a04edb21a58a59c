#ifndef TOOLS_DUET_EXECUTIONS_H_
#define TOOLS_DUET_EXECUTIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/record/plan.h"
#include "duetbench/variant/variant.h"
#include "tools/duet/execution.h"

// The runs of programs that are executed as they are. A sample is one execution. A run has blocks
// of two pairs: at the same time on two CPUs, which the programs swap, or in turns in the order
// ABBA or BAAB. The first runs at the same time have a pair in turns too, which shows whether the
// programs disturb each other. From then on everything is as for other duets: the policy decides
// the number of runs and the schedule, and the decision is made of one value for each run.
namespace duetbench::duet {

// The times of one execution.
struct ExecutionTimes {
  double real_ns = 0;  // of an iteration
  double cpu_ns = 0;
  double iterations = 1;
};

// Two programs, old and new.
struct ExecutedPrograms {
  // The words of an execution that is to measure for `seconds`. A program that cannot be told how
  // long takes as long as it takes.
  std::function<std::vector<std::string>(int side, const RunPlan& plan, double seconds)> words;
  // It can be told: a run has one block.
  bool takes_seconds = false;
  bool has_report = false;  // ExecutionRequest::has_report
  std::string folders[2];   // ExecutionRequest::folder
  // The error says what the program did wrong, without its name: "exited with status 3".
  std::function<absl::StatusOr<ExecutionTimes>(const Execution& execution)> times;
  // CPU time, memory and the exit status are reported: executions of a command.
  bool shows_amounts = false;
};

// A duet of both programs, with the schedules duet and interleaved. `compared` is completed.
DuetSpec SpecOfExecutions(const std::string& name, ExecutedPrograms programs,
                          ComparedPrograms compared);

// A variant that another program has.
class VariantElsewhere final : public Variant {
 public:
  explicit VariantElsewhere(bool is_called) : is_called_(is_called) {}
  void Run(State& state) const override { state.SkipWithError("another program has the variant"); }
  bool is_called_for_each_sample() const override { return is_called_; }

 private:
  const bool is_called_;
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_EXECUTIONS_H_
