#include "duetbench/experiment/variant_threads.h"

#include <algorithm>
#include <string>

#include "duetbench/platform/process_threads.h"

namespace duetbench {
namespace {

constexpr const char* kThreadNames[] = {"duet.old", "duet.new"};

bool Contains(const std::vector<int>& ids, int id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

void NameThreadOfVariant(int variant) { NameThisThread(kThreadNames[variant]); }

ThreadCensus::ThreadCensus() : before_(ThreadIds()) {}

void ThreadCensus::Look(const std::vector<int>& own) {
  int counts[2] = {0, 0};
  for (const int id : ThreadIds()) {
    if (Contains(before_, id) || Contains(own, id)) continue;
    const std::string name = NameOfThread(id);
    for (int v = 0; v < 2; ++v) {
      if (name == kThreadNames[v]) ++counts[v];
    }
  }
  for (int v = 0; v < 2; ++v) most_[v] = std::max(most_[v], counts[v]);
}

}  // namespace duetbench
