#ifndef DUETBENCH_GOOGLE_BENCHMARK_ROW_COLLECTOR_H_
#define DUETBENCH_GOOGLE_BENCHMARK_ROW_COLLECTOR_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "duetbench/gates/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/duet_rows.h"

namespace duetbench {

// Collects the comparisons of all instances, in whatever order they are measured, and makes the
// rows of an instance when it is complete.
class DuetRowCollector {
 public:
  // The instances outlive the collector.
  explicit DuetRowCollector(const std::vector<DuetInstance>& instances);

  // Adds the comparison of the next repetition of instances[index]; one with an error counts too.
  // Returns rows after the last repetition. The pairs are not kept: those of a long suite would
  // fill the memory.
  std::optional<InstanceRows> Add(size_t index, Comparison comparison);

 private:
  const std::vector<DuetInstance>& instances_;
  std::vector<std::vector<std::shared_ptr<const Comparison>>> comparisons_;  // by instance
  std::map<int, std::vector<FamilyMember>> families_;  // of those with a complexity
  std::map<int, int> repetitions_left_;                // by family
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_ROW_COLLECTOR_H_
