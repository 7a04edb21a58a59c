#ifndef DUETBENCH_TOOLS_DUET_LAB_ROLES_H_
#define DUETBENCH_TOOLS_DUET_LAB_ROLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench::lab {

// duet_lab executes itself to measure: as a program with one duet ("duet") or with one workload in
// loops of Google Benchmark ("google"), as a process that executes two variants by turns ("abba"),
// as a program with the pairs of pairs/code_pairs.h as duets ("pairs"), or with their functions in
// loops of Google Benchmark, as PAIR/old and PAIR/new ("plain"). An environment variable says as
// what; it is inherited by the processes of the runs.

// The name of the variable with the descriptor for what the role "abba" has measured.
inline constexpr char kResultFdVariable[] = "DUET_LAB_FD";

// A workload, and how many units of it an iteration of each variant has.
struct DuetWork {
  std::string workload;
  int64_t old_units;
  int64_t new_units;
};

inline constexpr int kGoogleRepetitions = 20;  // of the role "google", old and new together

// Executes the role for which another duet_lab started this process, and returns the exit status;
// none if another program started it. Call it first in main().
std::optional<int> RunRole(int argc, char** argv);

// CMake links the objects of duet_lab several times, with the functions of the pairs in other
// orders and at other distances. Link 0 is this program; the others are beside it.
inline constexpr int kLinks = 6;
// NotFound if one of the first `count` links is not there.
absl::Status CheckLinks(int count);

// Link number `link` in the role "pairs" or "plain", with these arguments.
ChildRequest RoleProgram(const std::string& role, const std::vector<std::string>& arguments,
                         int link = 0);
// duet_lab in the role "duet" or "google" of a workload.
ChildRequest WorkProgram(const std::string& role, const DuetWork& work,
                         const std::vector<std::string>& arguments);

// The log-ratios new/old of quads old, new, new, old of batches of 200 us, in one thread of a new
// process on `cpu`: for `seconds` after a warm-up of a tenth of it, and at least two. Cancelled
// when it was interrupted.
absl::StatusOr<std::vector<double>> RunAbba(const DuetWork& work, double seconds, int cpu);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_ROLES_H_
