#ifndef DUETBENCH_TOOLS_DUET_LAB_ROLES_H_
#define DUETBENCH_TOOLS_DUET_LAB_ROLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench::lab {

// duet_lab executes itself to measure: as a program with one duet, as a process that executes one
// variant alone, or as a program with pairs of unlike code (pair_roles.h). An environment variable
// says as what; it is inherited by the processes of the runs.

// A workload and how many units of it an iteration has.
struct SizedWork {
  std::string workload;
  int64_t units;
};

// The names of the environment variables.
inline constexpr char kRoleVariable[] =
    "DUET_LAB_ROLE";  // "duet", "alone" or a value of pair_roles.h or precision.h
inline constexpr char kParentVariable[] = "DUET_LAB_PARENT";  // the process to end with
inline constexpr char kWorkVariable[] = "DUET_LAB_WORK";      // WORKLOAD,OLD_UNITS,NEW_UNITS
inline constexpr char kResultFdVariable[] = "DUET_LAB_FD";

// "memory,100,200". InvalidArgument for anything else.
struct DuetWork {
  std::string workload;
  int64_t old_units;
  int64_t new_units;
};
std::string EncodeDuetWork(const DuetWork& work);
absl::StatusOr<DuetWork> DecodeDuetWork(absl::string_view text);

// Execution of one variant alone: for `seconds` after a warm-up of a tenth of it, and at least
// twice; on `cpu`, or where the kernel puts it if negative. With `new_units`, both variants in one
// thread: batches of 200 us in the order old, new, new, old.
struct AlonePlan {
  SizedWork work;
  double seconds;
  int cpu = -1;
  int64_t new_units = 0;  // 0: one variant
};

// Executes the role for which another duet_lab started this process, and returns the exit status;
// none if another program started it. Call it first in main().
std::optional<int> RunRole(int argc, char** argv);

// duet_lab in a role, with these arguments.
ChildRequest RoleProgram(const std::string& role, const std::vector<std::string>& arguments);
// The same with a workload.
ChildRequest WorkProgram(const std::string& role, const DuetWork& work,
                         const std::vector<std::string>& arguments);

// The times of the iterations of one variant in a new process, in nanoseconds; of two variants the
// log-ratios new/old of the quads. Cancelled when it was interrupted.
absl::StatusOr<std::vector<double>> RunAlone(const AlonePlan& plan);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_ROLES_H_
