#include "tools/duet/git/bisect.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"

namespace duetbench::duet {

absl::StatusOr<BisectResult> Bisect(const std::vector<std::string>& commits,
                                    const ProbeCommit& probe) {
  if (commits.empty())
    return absl::FailedPreconditionError("there is no commit between GOOD and BAD");
  const absl::StatusOr<Probe> bad = probe(commits.back(), 0);
  if (!bad.ok()) return bad.status();
  if (bad->low <= 1) {
    return absl::FailedPreconditionError(
        absl::StrFormat("BAD is not slower than GOOD: the ratio is %.4f, its interval [%.4f, %.4f]",
                        bad->ratio, bad->low, bad->high));
  }
  BisectResult result;
  result.limit = std::sqrt(bad->ratio);
  // Positions in `commits`; -1 is GOOD.
  auto last_good = std::ptrdiff_t{-1};
  auto first_bad = static_cast<std::ptrdiff_t>(commits.size()) - 1;
  std::vector<bool> cannot(commits.size());
  for (;;) {
    // The commit nearest to the middle that can be measured.
    std::ptrdiff_t next = -1;
    const std::ptrdiff_t middle = last_good + (first_bad - last_good) / 2;
    for (std::ptrdiff_t i = last_good + 1; i < first_bad; ++i) {
      if (cannot[static_cast<size_t>(i)]) continue;
      if (next < 0 || std::abs(i - middle) < std::abs(next - middle)) next = i;
    }
    if (next < 0) break;
    const absl::StatusOr<Probe> measured = probe(commits[static_cast<size_t>(next)], result.limit);
    if (absl::IsCancelled(measured.status())) return measured.status();
    if (!measured.ok()) {
      cannot[static_cast<size_t>(next)] = true;
    } else if (measured->ratio > result.limit) {
      first_bad = next;
    } else {
      last_good = next;
    }
  }
  result.first_bad = commits[static_cast<size_t>(first_bad)];
  if (last_good >= 0) result.last_good = commits[static_cast<size_t>(last_good)];
  for (std::ptrdiff_t i = last_good + 1; i < first_bad; ++i) {
    result.untestable.push_back(commits[static_cast<size_t>(i)]);
  }
  return result;
}

}  // namespace duetbench::duet
