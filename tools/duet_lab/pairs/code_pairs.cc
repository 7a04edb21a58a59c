#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {

const std::vector<CodePair>& CodePairs() {
  static const auto* const pairs = [] {
    auto* const all = new std::vector<CodePair>;
    for (const auto add : {AddContainerPairs, AddSortPairs, AddTextPairs, AddMemoryPairs,
                           AddCallPairs, AddArithmeticPairs}) {
      add(all);
    }
    return all;
  }();
  return *pairs;
}

}  // namespace duetbench::lab
