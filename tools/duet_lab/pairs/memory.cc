// Allocation and ownership, copies and fills, page faults.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

struct Item {
  uint64_t number;
  std::array<char, 40> text;
};

class SharedPtrOfNew {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::shared_ptr<Item> item(new Item{++number_, {}});
    benchmark::DoNotOptimize(item);
    return item->number;
  }

 private:
  uint64_t number_ = 0;
};

class MakeShared {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::shared_ptr<Item> item = std::make_shared<Item>(Item{++number_, {}});
    benchmark::DoNotOptimize(item);
    return item->number;
  }

 private:
  uint64_t number_ = 0;
};

template <bool kReserve>
class PushBack {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::vector<uint32_t> numbers;
    if (kReserve) numbers.reserve(1000);
    for (uint32_t i = 0; i < 1000; ++i) numbers.push_back(i);
    benchmark::DoNotOptimize(numbers.data());
    return numbers.size();
  }
};

class VectorOfPointers {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::vector<std::unique_ptr<Item>> items;
    for (uint64_t i = 0; i < 200; ++i) items.push_back(std::make_unique<Item>(Item{i, {}}));
    uint64_t sum = 0;
    for (const std::unique_ptr<Item>& item : items) sum += item->number;
    benchmark::DoNotOptimize(items.data());
    return sum;
  }
};

class VectorOfValues {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::vector<Item> items;
    for (uint64_t i = 0; i < 200; ++i) items.push_back(Item{i, {}});
    uint64_t sum = 0;
    for (const Item& item : items) sum += item.number;
    benchmark::DoNotOptimize(items.data());
    return sum;
  }
};

constexpr std::size_t kMiB = std::size_t{1} << 20;

class CopyOfMiB {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::memcpy(to_.data(), from_.data(), kMiB);
    benchmark::ClobberMemory();
    return static_cast<uint64_t>(to_[kMiB - 1]);
  }

 private:
  std::vector<char> from_ = std::vector<char>(kMiB, 'x');
  std::vector<char> to_ = std::vector<char>(kMiB, 'y');
};

class FillOfMiB {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::memset(to_.data(), 'x', kMiB);
    benchmark::ClobberMemory();
    return static_cast<uint64_t>(to_[kMiB - 1]);
  }

 private:
  std::vector<char> to_ = std::vector<char>(kMiB, 'y');
};

constexpr std::size_t kPage = 4096;

// The pattern is of eight bytes, as of a vector of pointers or of doubles.
class FillOfPageByWords {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::fill(words_.begin(), words_.end(), pattern_);
    benchmark::ClobberMemory();
    return words_.back();
  }

 private:
  std::vector<uint64_t> words_ = std::vector<uint64_t>(kPage / sizeof(uint64_t));
  uint64_t pattern_ = 0x0101010101010101;
};

class FillOfPageByBytes {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::memset(words_.data(), 1, kPage);
    benchmark::ClobberMemory();
    return words_.back();
  }

 private:
  std::vector<uint64_t> words_ = std::vector<uint64_t>(kPage / sizeof(uint64_t));
};

constexpr std::size_t kLarge = 4 * kMiB;

// Makes room at the front of a large buffer, in place and by a copy to another one.
class ShiftInPlace {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::memmove(bytes_.data() + 64, bytes_.data(), kLarge - 64);
    benchmark::ClobberMemory();
    return static_cast<uint64_t>(bytes_[kLarge - 1]);
  }

 private:
  std::vector<char> bytes_ = std::vector<char>(kLarge, 'x');
};

class ShiftByCopy {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    std::memcpy(to_.data() + 64, from_.data(), kLarge - 64);
    std::swap(from_, to_);
    benchmark::ClobberMemory();
    return static_cast<uint64_t>(from_[kLarge - 1]);
  }

 private:
  std::vector<char> from_ = std::vector<char>(kLarge, 'x');
  std::vector<char> to_ = std::vector<char>(kLarge, 'x');
};

#ifdef MAP_POPULATE
constexpr int kPopulate = MAP_POPULATE;
#else
constexpr int kPopulate = 0;
#endif

// 256 KiB of new memory, of which every page is written: page by page, or after one system call
// that maps them all.
template <int kFlags>
class NewPages {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    constexpr std::size_t kBytes = 64 * kPage;
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | kFlags, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    auto* const bytes = static_cast<volatile unsigned char*>(memory);
    uint64_t sum = 0;
    for (std::size_t i = 0; i < kBytes; i += kPage) {
      bytes[i] = static_cast<unsigned char>(i / kPage);
      sum += bytes[i];
    }
    munmap(memory, kBytes);
    return sum;
  }
};

}  // namespace

void AddMemoryPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // An object of 48 bytes.
          {"shared_ptr_vs_make_shared", PairSet::kTuning, SidesOf<SharedPtrOfNew, MakeShared>},
          // A vector of 1000 numbers.
          {"push_back_vs_reserve", PairSet::kTuning, SidesOf<PushBack<false>, PushBack<true>>},
          // A vector of 200 objects.
          {"pointers_vs_values", PairSet::kHoldOut, SidesOf<VectorOfPointers, VectorOfValues>},
          // 1 MiB.
          {"memcpy_vs_memset", PairSet::kTuning, SidesOf<CopyOfMiB, FillOfMiB>},
          // 4 KiB.
          {"fill_vs_memset", PairSet::kTuning, SidesOf<FillOfPageByWords, FillOfPageByBytes>},
          // 4 MiB.
          {"memmove_vs_memcpy", PairSet::kHoldOut, SidesOf<ShiftInPlace, ShiftByCopy>},
          // 64 new pages.
          {"faults_vs_populate", PairSet::kHoldOut, SidesOf<NewPages<0>, NewPages<kPopulate>>},
      });
}

}  // namespace duetbench::lab
