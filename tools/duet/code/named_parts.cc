#include "tools/duet/code/named_parts.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duetbench::duet {

void SettleParts(const std::vector<Section>& sections, std::vector<NamedPart>* parts) {
  std::stable_sort(parts->begin(), parts->end(),
                   [](const NamedPart& a, const NamedPart& b) { return a.address < b.address; });
  std::vector<NamedPart> merged;
  for (NamedPart& part : *parts) {
    if (merged.empty() || merged.back().address != part.address) {
      merged.push_back(std::move(part));
      continue;
    }
    NamedPart& same = merged.back();
    same.size = std::max(same.size, part.size);
    same.is_chosen_at_load = same.is_chosen_at_load || part.is_chosen_at_load;
    same.names.push_back(std::move(part.names.front()));
  }
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].size > 0) continue;
    for (const Section& section : sections) {
      if (!section.Contains(merged[i].address)) continue;
      uint64_t end = section.address + section.size;
      if (i + 1 < merged.size()) end = std::min(end, merged[i + 1].address);
      merged[i].size = end - merged[i].address;
    }
  }
  *parts = std::move(merged);
}

}  // namespace duetbench::duet
