// Sorts, and branches that can and cannot be predicted.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "tools/duet_lab/pairs/topics.h"

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

class UnstableSort {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    numbers_ = unsorted_.Next();
    std::sort(numbers_.begin(), numbers_.end());
    return Digest(numbers_, kNumbers);
  }

 private:
  Cycle<std::vector<uint32_t>> unsorted_{UnsortedVectors()};
  std::vector<uint32_t> numbers_;
};

class StableSort {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    numbers_ = unsorted_.Next();
    std::stable_sort(numbers_.begin(), numbers_.end());
    return Digest(numbers_, kNumbers);
  }

 private:
  Cycle<std::vector<uint32_t>> unsorted_{UnsortedVectors()};
  std::vector<uint32_t> numbers_;
};

constexpr std::size_t kSmallest = 100;

class PartialSort {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    numbers_ = unsorted_.Next();
    std::partial_sort(numbers_.begin(), numbers_.begin() + kSmallest, numbers_.end());
    return Digest(numbers_, kSmallest);
  }

 private:
  Cycle<std::vector<uint32_t>> unsorted_{UnsortedVectors()};
  std::vector<uint32_t> numbers_;
};

class NthElementAndSort {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    numbers_ = unsorted_.Next();
    std::nth_element(numbers_.begin(), numbers_.begin() + kSmallest, numbers_.end());
    std::sort(numbers_.begin(), numbers_.begin() + kSmallest);
    return Digest(numbers_, kSmallest);
  }

 private:
  Cycle<std::vector<uint32_t>> unsorted_{UnsortedVectors()};
  std::vector<uint32_t> numbers_;
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

PairSides SortAndStableSort() { return SidesOf<UnstableSort, StableSort>(); }
PairSides PartialSortAndNthElement() { return SidesOf<PartialSort, NthElementAndSort>(); }
PairSides RandomAndSortedBranches() { return SidesOf<SumOfLarge<false>, SumOfLarge<true>>(); }

}  // namespace duetbench::lab
