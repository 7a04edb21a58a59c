#include "duetbench/measure/variant_threads.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "duetbench/platform/process.h"

namespace duetbench {
namespace {

constexpr const char* kThreadNames[] = {"duet.old", "duet.new"};

bool Contains(const std::vector<int>& ids, int id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

int VariantNamed(const std::string& name) {
  const auto* const found = std::find(std::begin(kThreadNames), std::end(kThreadNames), name);
  return static_cast<int>(found - std::begin(kThreadNames));  // kEitherVariant: another name
}

}  // namespace

void NameThreadOfVariant(int variant) { NameThisThread(kThreadNames[std::min(variant, 1)]); }

ThreadCensus::ThreadCensus() : before_(ThreadIds()), name_(NameOfThread(ThisThreadId())) {}

void ThreadCensus::Look(const std::function<std::vector<int>()>& own) {
  std::map<int, int> found;
  for (const int id : ThreadIds()) {
    if (Contains(before_, id)) continue;
    const auto known = variants_.find(id);
    if (known != variants_.end()) {
      found[id] = known->second;
      continue;
    }
    const std::string name = NameOfThread(id);
    const bool has_ended = name.empty();
    if (!has_ended && name != name_) found[id] = VariantNamed(name);
  }
  const std::vector<int> of_run = own();
  // Until all threads of the run are known, one with another name may be one of them.
  const bool knows_all = !Contains(of_run, 0);
  variants_.clear();
  int counts[3] = {0, 0, 0};
  for (const auto& [id, variant] : found) {
    if (Contains(of_run, id) || (variant == kEitherVariant && !knows_all)) continue;
    // The list takes its time: a thread that was seen may have ended before the next one began. All
    // that live now were there at once.
    if (!ThreadLives(id)) continue;
    variants_[id] = variant;
    ++counts[variant];
  }
  for (int v = 0; v < 3; ++v) most_[v] = std::max(most_[v], counts[v]);
}

}  // namespace duetbench
