// Containers, hash maps and searches.
#include <algorithm>
#include <cstddef>
#include <list>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

constexpr std::size_t kKeys = 4096;

// Look-ups of keys that are there, in the order in which they were inserted, again and again, as in
// samples/maps.cc. The predictor of branches learns them by heart if nothing else runs for long
// enough: std::map : btree_map is 1.8 in plain loops of 50 ms on a quiet machine, and 0.6 beside
// other processes (virtual machine, AMD EPYC Zen 4).
template <class Map>
class LookUpInMap {
 public:
  LookUpInMap() : keys_(PairData(2).Numbers(kKeys)) {
    for (const uint32_t key : PairData(2).Numbers(kKeys)) map_[key] = ~key;
  }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() { return map_.find(keys_.Next())->second; }

 private:
  Map map_;
  Cycle<uint32_t> keys_;
};

template <class Container>
class SumOfContainer {
 public:
  SumOfContainer() {
    for (const uint32_t number : PairData(3).Numbers(5000)) numbers_.push_back(number);
  }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    return std::accumulate(numbers_.begin(), numbers_.end(), uint64_t{0});
  }

 private:
  Container numbers_;
};

constexpr std::size_t kFew = 64;

std::vector<uint32_t> SortedNumbers(std::size_t n) {
  std::vector<uint32_t> numbers = PairData(4).Numbers(n);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Numbers that are found, in random order.
std::vector<uint32_t> Wanted(std::size_t n) {
  const std::vector<uint32_t> numbers = SortedNumbers(n);
  std::vector<uint32_t> wanted;
  for (const uint32_t number : PairData(5).Numbers(4096)) wanted.push_back(numbers[number % n]);
  return wanted;
}

class LinearSearch {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const auto it = std::find(numbers_.begin(), numbers_.end(), wanted_.Next());
    return static_cast<uint64_t>(it - numbers_.begin());
  }

 private:
  std::vector<uint32_t> numbers_ = SortedNumbers(kFew);
  Cycle<uint32_t> wanted_{Wanted(kFew)};
};

class BinarySearch {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const auto it = std::lower_bound(numbers_.begin(), numbers_.end(), wanted_.Next());
    return static_cast<uint64_t>(it - numbers_.begin());
  }

 private:
  std::vector<uint32_t> numbers_ = SortedNumbers(kFew);
  Cycle<uint32_t> wanted_{Wanted(kFew)};
};

std::vector<std::string> Words() {
  std::vector<std::string> words;
  for (const uint32_t number : PairData(6).Numbers(1024)) {
    words.push_back(absl::StrCat("word number ", number));
  }
  return words;
}

class LookUpInSet {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() { return words_.find(wanted_.Next())->size(); }

 private:
  std::set<std::string> words_ = [] {
    const std::vector<std::string> words = Words();
    return std::set<std::string>(words.begin(), words.end());
  }();
  Cycle<std::string> wanted_{Words()};
};

class LookUpInSortedVector {
 public:
  LookUpInSortedVector() { std::sort(words_.begin(), words_.end()); }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    return std::lower_bound(words_.begin(), words_.end(), wanted_.Next())->size();
  }

 private:
  std::vector<std::string> words_ = Words();
  Cycle<std::string> wanted_{Words()};
};

constexpr std::size_t kMany = 16384;

class BranchingSearch {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const uint32_t wanted = wanted_.Next();
    std::size_t first = 0;
    std::size_t count = numbers_.size();
    while (count > 0) {
      const std::size_t half = count / 2;
      if (numbers_[first + half] < wanted) {
        asm volatile("" ::: "memory");  // stays a branch
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

 private:
  std::vector<uint32_t> numbers_ = SortedNumbers(kMany);
  Cycle<uint32_t> wanted_{Wanted(kMany)};
};

class BranchlessSearch {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    const uint32_t wanted = wanted_.Next();
    std::size_t first = 0;
    for (std::size_t half = kMany / 2; half > 0; half /= 2) {
      first += half * static_cast<std::size_t>(numbers_[first + half - 1] < wanted);
    }
    return first + static_cast<std::size_t>(numbers_[first] < wanted);
  }

 private:
  std::vector<uint32_t> numbers_ = SortedNumbers(kMany);
  Cycle<uint32_t> wanted_{Wanted(kMany)};
};

}  // namespace

void AddContainerPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // Look-ups among 4096 keys.
          {"std_map_vs_btree_map", PairSet::kTuning,
           SidesOf<LookUpInMap<std::map<uint32_t, uint32_t>>,
                   LookUpInMap<absl::btree_map<uint32_t, uint32_t>>>},
          // Look-ups among 4096 keys.
          {"unordered_vs_flat_hash_map", PairSet::kTuning,
           SidesOf<LookUpInMap<std::unordered_map<uint32_t, uint32_t>>,
                   LookUpInMap<absl::flat_hash_map<uint32_t, uint32_t>>>},
          // The sum of 5000 numbers.
          {"list_vs_vector", PairSet::kTuning,
           SidesOf<SumOfContainer<std::list<uint32_t>>, SumOfContainer<std::vector<uint32_t>>>},
          // In 64 numbers.
          {"linear_vs_binary_search", PairSet::kTuning, SidesOf<LinearSearch, BinarySearch>},
          // Look-ups among 1024 strings.
          {"set_vs_sorted_vector", PairSet::kHoldOut, SidesOf<LookUpInSet, LookUpInSortedVector>},
          // Binary search in 16384 numbers.
          {"branching_vs_branchless", PairSet::kHoldOut,
           SidesOf<BranchingSearch, BranchlessSearch>},
      });
}

}  // namespace duetbench::lab
