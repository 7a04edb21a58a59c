#include "duetbench/report/comparison_book.h"

namespace duetbench {

int64_t ComparisonBook::Add(Comparison comparison, const std::string& family,
                            const std::vector<int64_t>& ranges, bool first) {
  comparison.results.clear();
  comparison.run_pairs.clear();
  comparisons_.push_back(std::move(comparison));
  const int64_t number = size();
  int64_t& group = latest_groups_[{family, ranges}];
  if (first || group == 0) group = number;
  groups_.push_back(group);
  const Comparison& kept = comparisons_.back();
  Family& members = families_[family];
  if (kept.error.cause.empty()) {
    repetitions_[group].push_back(&kept);
    members.comparisons.push_back(&kept);
  }
  return number;
}

const Comparison* ComparisonBook::Find(int64_t number) const {
  return number < 1 || number > size() ? nullptr : &comparisons_[static_cast<size_t>(number - 1)];
}

int64_t ComparisonBook::GroupOf(int64_t number) const {
  return number < 1 || number > size() ? 0 : groups_[static_cast<size_t>(number - 1)];
}

std::vector<const Comparison*> ComparisonBook::Repetitions(int64_t group) const {
  const auto it = repetitions_.find(group);
  return it == repetitions_.end() ? std::vector<const Comparison*>() : it->second;
}

void ComparisonBook::SetComplexity(const std::string& family, benchmark::BigO complexity,
                                   benchmark::BigOFunc* lambda) {
  families_[family].complexity = complexity;
  families_[family].lambda = lambda;
}

const ComparisonBook::Family* ComparisonBook::FindFamily(const std::string& family) const {
  const auto it = families_.find(family);
  return it == families_.end() ? nullptr : &it->second;
}

}  // namespace duetbench
