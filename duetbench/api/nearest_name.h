#ifndef DUETBENCH_API_NEAREST_NAME_H_
#define DUETBENCH_API_NEAREST_NAME_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// The candidate that takes the fewest insertions, deletions and replacements of a character to make
// from `name`; of equals the first. Empty if even that takes more than two, or a third of the
// characters of `name` where this is more.
std::string NearestName(absl::string_view name, const std::vector<std::string>& candidates);

}  // namespace duetbench

#endif  // DUETBENCH_API_NEAREST_NAME_H_
