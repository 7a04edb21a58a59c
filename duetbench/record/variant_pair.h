#ifndef DUETBENCH_RECORD_VARIANT_PAIR_H_
#define DUETBENCH_RECORD_VARIANT_PAIR_H_

#include <string>
#include <vector>

// Users' headers include this one: it includes nothing of Abseil.
namespace duetbench {

// The names of the two functions in sentences.
struct VariantNames {
  std::string old_name = "old";
  std::string new_name = "new";
};

// Two variants of a group that are compared, by their numbers; 0 is the base.
struct VariantPair {
  int old_variant = 0;
  int new_variant = 1;
};

inline bool operator==(const VariantPair& a, const VariantPair& b) {
  return a.old_variant == b.old_variant && a.new_variant == b.new_variant;
}

// All pairs of `variants` variants, the smaller number first: at the beginning those with the base.
inline std::vector<VariantPair> PairsOfGroup(int variants) {
  std::vector<VariantPair> pairs;
  for (int i = 0; i < variants; ++i) {
    for (int j = i + 1; j < variants; ++j) pairs.push_back({i, j});
  }
  return pairs;
}

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_VARIANT_PAIR_H_
