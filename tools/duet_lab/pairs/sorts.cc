// Sorts, and branches that can and cannot be predicted.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

constexpr std::size_t kNumbers = 1000;

// Sixteen vectors of random numbers, so that no predictor of branches knows the next one.
std::vector<std::vector<uint32_t>> UnsortedVectors() {
  PairData data(7);
  std::vector<std::vector<uint32_t>> vectors(16);
  for (std::vector<uint32_t>& numbers : vectors) numbers = data.Numbers(kNumbers);
  return vectors;
}

uint64_t Digest(const std::vector<uint32_t>& numbers, std::size_t n) {
  return numbers[0] + uint64_t{3} * numbers[n / 2] + uint64_t{5} * numbers[n - 1];
}

// Brings the first `kOrdered` of the numbers into order.
template <class Sort, std::size_t kOrdered>
class SortOfVector {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    numbers_ = unsorted_.Next();
    Sort()(numbers_.begin(), numbers_.begin() + kOrdered, numbers_.end());
    return Digest(numbers_, kOrdered);
  }

 private:
  Cycle<std::vector<uint32_t>> unsorted_{UnsortedVectors()};
  std::vector<uint32_t> numbers_;
};

using Place = std::vector<uint32_t>::iterator;

struct UnstableSort {
  void operator()(Place begin, Place, Place end) const { std::sort(begin, end); }
};
struct StableSort {
  void operator()(Place begin, Place, Place end) const { std::stable_sort(begin, end); }
};

constexpr std::size_t kSmallest = 100;

struct PartialSort {
  void operator()(Place begin, Place ordered, Place end) const {
    std::partial_sort(begin, ordered, end);
  }
};
struct NthElementAndSort {
  void operator()(Place begin, Place ordered, Place end) const {
    std::nth_element(begin, ordered, end);
    std::sort(begin, ordered);
  }
};

// The sum of the large ones of 4096 numbers. There are 32 vectors of them, since a predictor of
// branches can learn 8192 random ones by heart.
template <bool kSorted>
class SumOfLarge {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (const uint32_t number : vectors_.Next()) {
      if (number > 0x7fffffff) {
        asm volatile("" ::: "memory");  // stays a branch
        sum += number;
      }
    }
    return sum;
  }

 private:
  static std::vector<std::vector<uint32_t>> Vectors() {
    PairData data(8);
    std::vector<std::vector<uint32_t>> vectors(32);
    for (std::vector<uint32_t>& numbers : vectors) {
      numbers = data.Numbers(4096);
      if (kSorted) std::sort(numbers.begin(), numbers.end());
    }
    return vectors;
  }

  Cycle<std::vector<uint32_t>> vectors_{Vectors()};
};

}  // namespace

void AddSortPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // 1000 random numbers.
          {"sort_vs_stable_sort", PairSet::kTuning,
           SidesOf<SortOfVector<UnstableSort, kNumbers>, SortOfVector<StableSort, kNumbers>>},
          // The 100 smallest of 1000 numbers in order.
          {"partial_sort_vs_nth_element", PairSet::kHoldOut,
           SidesOf<SortOfVector<PartialSort, kSmallest>,
                   SortOfVector<NthElementAndSort, kSmallest>>},
          // A branch on each of 4096 numbers.
          {"random_vs_sorted_branches", PairSet::kTuning,
           SidesOf<SumOfLarge<false>, SumOfLarge<true>>},
      });
}

}  // namespace duetbench::lab
