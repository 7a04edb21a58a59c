#include "duetbench/code_layout/reach.h"

#include <algorithm>
#include <cstddef>

namespace duetbench {
namespace {

class BreadthFirstSearch {
 public:
  explicit BreadthFirstSearch(const MovableCode& code)
      : code_(code), is_reached_(code.functions.size()) {}

  std::vector<int32_t> From(absl::Span<const uint64_t> entries) {
    for (const uint64_t entry : entries) {
      Reach(code_.FunctionAt(entry));
      ReachTable(entry);
    }
    for (size_t next = 0; next < reached_.size(); ++next) {
      const MovableCode::Function& function = code_.functions[static_cast<size_t>(reached_[next])];
      for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
        const MovableCode::Reference& reference = code_.references[r];
        Reach(reference.to);
        if (reference.kind == MovableCode::ReferenceKind::kAddress) ReachTable(reference.target);
        if (reference.kind == MovableCode::ReferenceKind::kOperand) ReachPointer(reference.target);
      }
    }
    return reached_;
  }

 private:
  void Reach(int32_t function) {
    if (function < 0 || is_reached_[static_cast<size_t>(function)]) return;
    is_reached_[static_cast<size_t>(function)] = true;
    reached_.push_back(function);
  }

  // The pointer at `location`; false: there is none.
  bool ReachPointer(uint64_t location) {
    const auto found = std::lower_bound(
        code_.pointers.begin(), code_.pointers.end(), location,
        [](const MovableCode::Pointer& each, uint64_t at) { return each.location < at; });
    if (location == 0 || found == code_.pointers.end() || found->location != location) return false;
    Reach(found->to);
    return true;
  }

  // Pointers that follow each other.
  void ReachTable(uint64_t location) {
    for (; ReachPointer(location); location += 8) continue;
  }

  const MovableCode& code_;
  std::vector<bool> is_reached_;
  std::vector<int32_t> reached_;
};

}  // namespace

std::vector<std::vector<int32_t>> FunctionsOfVariants(
    const MovableCode& code, absl::Span<const std::vector<uint64_t>> entries) {
  std::vector<std::vector<int32_t>> functions;
  std::vector<int> variants_with(code.functions.size());
  for (const std::vector<uint64_t>& of_variant : entries) {
    functions.push_back(BreadthFirstSearch(code).From(of_variant));
    for (const int32_t each : functions.back()) ++variants_with[static_cast<size_t>(each)];
  }
  for (std::vector<int32_t>& own : functions) {
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](int32_t each) {
                               const auto number = static_cast<size_t>(each);
                               return variants_with[number] > 1 || !code.functions[number].moves();
                             }),
              own.end());
  }
  return functions;
}

}  // namespace duetbench
