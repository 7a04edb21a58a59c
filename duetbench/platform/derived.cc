#include "duetbench/platform/derived.h"

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

// The rate of the first event with a role; 0 if there is none.
double RateOf(const std::vector<EventRate>& rates, EventRole role) {
  for (const EventRate& rate : rates) {
    if (rate.role == role) return rate.per_iteration;
  }
  return 0;
}

bool Has(const std::vector<EventRate>& rates, EventRole role) {
  for (const EventRate& rate : rates) {
    if (rate.role == role) return true;
  }
  return false;
}

}  // namespace

std::vector<DerivedColumn> DeriveColumns(const std::vector<EventRate>& rates,
                                         double bytes_per_iteration) {
  const double instructions = RateOf(rates, EventRole::kInstructions);
  const double cycles = RateOf(rates, EventRole::kCycles);
  const double branches = RateOf(rates, EventRole::kBranches);
  std::vector<DerivedColumn> columns;
  if (cycles > 0 && Has(rates, EventRole::kInstructions)) {
    columns.push_back({"IPC", instructions / cycles});
  }
  for (const EventRate& rate : rates) {
    if (rate.role != EventRole::kMisses && rate.role != EventRole::kBranchMisses) continue;
    if (instructions > 0) {
      columns.push_back(
          {absl::StrCat(rate.name, "-MPKI"), 1000 * rate.per_iteration / instructions});
    }
  }
  if (branches > 0 && Has(rates, EventRole::kBranchMisses)) {
    columns.push_back({"BRANCH-MISS-RATE", RateOf(rates, EventRole::kBranchMisses) / branches});
  }
  if (bytes_per_iteration > 0 && Has(rates, EventRole::kCycles)) {
    columns.push_back({"CYCLES-PER-BYTE", cycles / bytes_per_iteration});
  }
  return columns;
}

}  // namespace duetbench
