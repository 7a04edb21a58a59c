#ifndef DUETBENCH_TOOLS_DUET_LAB_REPLICATE_PAIR_ROLES_H_
#define DUETBENCH_TOOLS_DUET_LAB_REPLICATE_PAIR_ROLES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/subprocess.h"
#include "tools/duet_lab/replicate/replicate_statistics.h"

// duet_lab as a program with the pairs of pairs/code_pairs.h (roles.h says how it is started).
namespace duetbench::lab {

// Values of DUET_LAB_ROLE.
inline constexpr char kPairsRole[] = "pairs";  // a duet for each pair, and those of the group
inline constexpr char kPlainRole[] = "plain";  // PAIR/old and PAIR/new, of Google Benchmark alone

// The names of the comparisons with the base of CodeGroup, which are pairs too.
std::vector<std::string> GroupPairs();

int RunPairsRole(int argc, char** argv);
int RunPlainRole(int argc, char** argv);

// The program with duets of these pairs; `arguments` are its flags besides the filter.
ChildRequest PairsProgram(const std::vector<std::string>& pairs,
                          const std::vector<std::string>& arguments);

// Measures both functions of a pair in plain loops of Google Benchmark, each in a process that has
// no other thread, for `seconds` each, new first if `new_first`. Cancelled when interrupted.
absl::StatusOr<PlainVisit> MeasurePlain(const std::string& pair, double seconds, bool new_first);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_PAIR_ROLES_H_
