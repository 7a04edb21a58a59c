#include "duetbench/experiment/experiment_request.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "duetbench/code_layout/executable_file.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/record/isolation.h"

namespace duetbench {

RunTask TaskOf(const ExperimentRequest& request, const RunPlan& plan) {
  RunTask task;
  task.parent = getpid();
  task.ranges = request.functions.ranges;
  task.plan = plan;
  task.plan.in_processes = request.options.isolation == Isolation::kThread ? 0 : 1;
  return task;
}

std::vector<RunCommand> CommandsOf(const ExperimentRequest& request, const RunTask& task,
                                   bool in_one_process, absl::Span<const Descriptor> copies) {
  const int sides = in_one_process ? 1 : static_cast<int>(task.plan.variants);
  std::vector<RunCommand> commands;
  for (int side = 0; side < sides; ++side) {
    const int role = std::min(side, 1);
    const TwoPrograms* const programs =
        (side < 2 ? request.programs : request.group[static_cast<size_t>(side - 1)]).get();
    RunCommand& command =
        commands.emplace_back(programs != nullptr ? programs->sides[role] : request.command);
    command.serve = nullptr;
    if (programs == nullptr) command.executes = role;
    if (copies.empty()) continue;
    const size_t program = programs != nullptr ? programs->numbers[role] : 0;
    command.executable = PathOfDescriptor(copies[program].get());
  }
  return commands;
}

}  // namespace duetbench
