#ifndef TOOLS_DUET_GIT_BISECT_H_
#define TOOLS_DUET_GIT_BISECT_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

// The search for the commit with which a benchmark became slower. No processes here: a probe is a
// parameter.
namespace duetbench::duet {

// A commit against GOOD.
struct Probe {
  double ratio = 0;
  double low = 0;  // the interval
  double high = 0;
  // The interval excludes the limit, and the commit is slower or not; else the ratio decides.
  bool is_decided = false;
};

// Compares a commit with GOOD until it is decided whether the ratio is above `limit` (0: no limit
// is known yet). An error: the commit cannot be measured, and another one is to be taken.
using ProbeCommit = std::function<absl::StatusOr<Probe>(const std::string& commit, double limit)>;

struct BisectResult {
  std::string first_bad;
  std::string last_good;                // empty: GOOD itself
  std::vector<std::string> untestable;  // commits between the two that could not be measured
  double limit = 0;
};

// `commits`: those after GOOD, oldest first; the last one is BAD. First measures BAD; the limit is
// the geometric mean of its ratio and 1. Then a binary search. FailedPrecondition: BAD is not
// slower than GOOD.
absl::StatusOr<BisectResult> Bisect(const std::vector<std::string>& commits,
                                    const ProbeCommit& probe);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_BISECT_H_
