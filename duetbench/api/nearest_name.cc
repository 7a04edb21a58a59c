#include "duetbench/api/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace duetbench {
namespace {

// Levenshtein's.
std::size_t Distance(absl::string_view a, absl::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestName(absl::string_view name, const std::vector<std::string>& candidates) {
  std::size_t nearest_distance = 1 + std::max<std::size_t>(2, name.size() / 3);
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = Distance(name, candidate);
    if (distance >= nearest_distance) continue;
    nearest_distance = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace duetbench
