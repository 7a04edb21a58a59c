#include "duetbench/decide/pairs.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace duetbench::stats {
namespace {

bool IsPositiveFinite(double value) { return value > 0 && std::isfinite(value); }

}  // namespace

absl::Status CheckPairs(const RunPairs& run) {
  if (run.empty()) return absl::InvalidArgumentError("the run has no pairs");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Pair& pair = run[i];
    if (!IsPositiveFinite(pair.old_time) || !IsPositiveFinite(pair.new_time)) {
      return absl::InvalidArgumentError(
          absl::StrCat("pair ", i, ": times must be positive and finite, got old ", pair.old_time,
                       " and new ", pair.new_time));
    }
    if (!IsPositiveFinite(pair.new_time / pair.old_time)) {
      return absl::InvalidArgumentError(absl::StrCat("pair ", i, ": the ratio of new ",
                                                     pair.new_time, " to old ", pair.old_time,
                                                     " is out of the range of a double"));
    }
    if (pair.assignment != 0 && pair.assignment != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("pair ", i, ": the assignment must be 0 or 1, got ", pair.assignment));
    }
  }
  return absl::OkStatus();
}

std::vector<std::vector<std::size_t>> Strata(const RunPairs& run) {
  std::vector<std::vector<std::size_t>> strata(2);
  for (std::size_t i = 0; i < run.size(); ++i) {
    strata[static_cast<std::size_t>(run[i].assignment)].push_back(i);
  }
  strata.erase(std::remove_if(strata.begin(), strata.end(),
                              [](const auto& positions) { return positions.empty(); }),
               strata.end());
  return strata;
}

std::vector<double> LogRatios(const RunPairs& run) {
  std::vector<double> logs;
  logs.reserve(run.size());
  for (const Pair& pair : run) logs.push_back(std::log(pair.new_time / pair.old_time));
  return logs;
}

}  // namespace duetbench::stats
