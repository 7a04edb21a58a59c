#include "duetbench/stats/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "duetbench/stats/decision_policy.h"

namespace duetbench::stats {
namespace {

bool IsPositiveFinite(double value) { return value > 0 && std::isfinite(value); }

// The positions of the pairs of each group.
using PositionsOf = std::vector<std::vector<std::size_t>>;

template <class GroupOf>
PositionsOf Positions(const RunPairs& run, GroupOf group_of) {
  PositionsOf positions;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const std::size_t group = group_of(run[i]);
    if (group >= positions.size()) positions.resize(group + 1);
    positions[group].push_back(i);
  }
  return positions;
}

// True if no round has less than a quarter of another round's pairs of the same assignment.
// `strata` by StratumOf.
bool AreRoundsAlike(const PositionsOf& strata) {
  std::vector<std::array<std::size_t, 2>> rounds;
  for (std::size_t s = 0; s < strata.size(); s += 2) {
    const std::size_t second = s + 1 < strata.size() ? strata[s + 1].size() : 0;
    if (strata[s].size() + second > 0) rounds.push_back({strata[s].size(), second});
  }
  for (const std::size_t assignment : {0u, 1u}) {
    const auto [least, most] = std::minmax_element(
        rounds.begin(), rounds.end(),
        [=](const auto& x, const auto& y) { return x[assignment] < y[assignment]; });
    if (kDecision.least_part_of_round * (*least)[assignment] < (*most)[assignment]) return false;
  }
  return true;
}

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
    if (pair.round < 0 || pair.round > kMaxRound) {
      return absl::InvalidArgumentError(
          absl::StrCat("pair ", i, ": the round must be 0 to ", kMaxRound, ", got ", pair.round));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRuns(absl::Span<const RunPairs> runs) {
  if (runs.empty()) return absl::InvalidArgumentError("the experiment has no runs");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (absl::Status status = CheckPairs(runs[r]); !status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("run ", r, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

std::size_t StratumOf(const Pair& pair) {
  return 2 * static_cast<std::size_t>(pair.round) + static_cast<std::size_t>(pair.assignment);
}

std::vector<std::vector<std::size_t>> Strata(const RunPairs& run) {
  PositionsOf strata = Positions(run, StratumOf);
  if (!AreRoundsAlike(strata)) {
    strata =
        Positions(run, [](const Pair& pair) { return static_cast<std::size_t>(pair.assignment); });
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
