#include "duetbench/experiment/variant_threads.h"

#include <algorithm>
#include <string>

#include "duetbench/platform/process.h"

namespace duetbench {
namespace {

constexpr const char* kThreadNames[] = {"duet.old", "duet.new"};

bool Contains(const std::vector<int>& ids, int id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

void NameThreadOfVariant(int variant) { NameThisThread(kThreadNames[variant]); }

ThreadCensus::ThreadCensus() : before_(ThreadIds()) {}

void ThreadCensus::Look(const std::function<std::vector<int>()>& own) {
  std::vector<int> named[2];
  for (const int id : ThreadIds()) {
    if (Contains(before_, id)) continue;
    const std::string name = NameOfThread(id);
    for (int v = 0; v < 2; ++v) {
      if (name == kThreadNames[v]) named[v].push_back(id);
    }
  }
  const std::vector<int> of_run = own();
  for (int v = 0; v < 2; ++v) {
    const auto started = std::count_if(named[v].begin(), named[v].end(),
                                       [&](int id) { return !Contains(of_run, id); });
    most_[v] = std::max(most_[v], static_cast<int>(started));
  }
}

}  // namespace duetbench
