#ifndef DUETBENCH_REGISTRY_SUITE_LOG_H_
#define DUETBENCH_REGISTRY_SUITE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "duetbench/report/suite.h"

namespace duetbench {

// The duets that the program has run so far, in order, for what is said at its end.
class SuiteLog {
 public:
  // Adds a duet as it was measured; returns its place. Its pairs are not kept.
  size_t Add(SuiteEntry entry);

  // The library builds the whole name of a benchmark (argument names, repetitions) and tells it to
  // reporters alone, which know a duet by the number of its comparison.
  void Number(size_t place, int64_t comparison) { places_[comparison] = place; }
  void Rename(int64_t comparison, const std::string& name);

  const std::vector<SuiteEntry>& entries() const { return entries_; }

 private:
  std::vector<SuiteEntry> entries_;
  std::map<int64_t, size_t> places_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_SUITE_LOG_H_
