#include "duetbench/google_benchmark/row_collector.h"

#include <utility>

namespace duetbench {

DuetRowCollector::DuetRowCollector(const std::vector<DuetInstance>& instances)
    : instances_(instances), comparisons_(instances.size()) {
  for (const DuetInstance& instance : instances) {
    repetitions_left_[instance.family] += instance.repetitions;
  }
}

std::optional<InstanceRows> DuetRowCollector::Add(size_t index, Comparison comparison) {
  const DuetInstance& instance = instances_[index];
  comparison.results.clear();
  if (Estimate* const estimate = comparison.estimate()) estimate->run_pairs.clear();
  const auto kept = std::make_shared<const Comparison>(std::move(comparison));
  const bool has_complexity = instance.spec->complexity != benchmark::oNone;
  if (has_complexity) families_[instance.family].push_back({&instance, kept});
  std::vector<std::shared_ptr<const Comparison>>& repetitions = comparisons_[index];
  repetitions.push_back(kept);
  const bool family_is_complete = --repetitions_left_[instance.family] == 0;
  if (static_cast<int>(repetitions.size()) < instance.repetitions) return std::nullopt;

  InstanceRows rows = MakeInstanceRows(instance, repetitions);
  repetitions.clear();
  if (has_complexity && family_is_complete) {
    for (ReportRow& row : MakeComplexityRows(families_[instance.family])) {
      rows.aggregates.push_back(std::move(row));
    }
    families_.erase(instance.family);
  }
  return rows;
}

}  // namespace duetbench
