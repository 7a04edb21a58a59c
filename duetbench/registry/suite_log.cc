#include "duetbench/registry/suite_log.h"

#include <utility>

namespace duetbench {

size_t SuiteLog::Add(SuiteEntry entry) {
  entry.comparison.results.clear();
  entry.comparison.run_pairs.clear();
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

void SuiteLog::Rename(int64_t comparison, const std::string& name) {
  const auto it = places_.find(comparison);
  if (it != places_.end()) entries_[it->second].name = name;
}

}  // namespace duetbench
