#ifndef DUETBENCH_STATS_RANDOM_H_
#define DUETBENCH_STATS_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "duetbench/stats/require.h"

namespace duetbench::stats {

// The random numbers of all resampling: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, figure 16).
// Its output is fixed by the seed on every machine and compiler, which the distributions of
// <random> do not promise. Not for cryptography. One word costs about 1 ns: consecutive words do
// not wait for each other, unlike those of the xoshiro family.
class Random {
 public:
  // Different seeds give unrelated sequences; so do different `stream`s of one seed, so that for
  // instance every benchmark of a suite has its own whatever the others do.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(Mix(Mix(seed) + stream * kStep)) {}

  // The next 64 random bits.
  std::uint64_t Next() { return Mix(state_ += kStep); }

  // Uniform on {0, ..., bound - 1}, exactly (Lemire, ACM TOMACS 2019). `bound` must be positive.
  std::uint64_t Below(std::uint64_t bound) {
    Require(bound > 0, "a random integer needs a positive bound");
    Wide product = static_cast<Wide>(Next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
      while (static_cast<std::uint64_t>(product) < rejected) {
        product = static_cast<Wide>(Next()) * bound;
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // Uniform on [0, 1), a multiple of 2^-53.
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // A random order of `values`, each equally likely (Fisher-Yates).
  template <typename T>
  void Shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(Below(i))]);
    }
  }

  // Calls visit(index) `count` times with independent indices, uniform on {0, ..., bound - 1},
  // exactly. Several indices share one random word (Brackett-Rozinsky and Lemire, 'Batched ranged
  // random integer generation', 2024): three times as fast as Below for a bound of 1000, and 95 %
  // of the time of every bootstrap goes here. `bound` must be in [1, 2^32).
  template <typename Visit>
  void VisitIndices(std::uint64_t bound, std::size_t count, Visit visit) {
    Require(bound > 0 && bound >> 32 == 0, "resampling works on 1 to 2^32 - 1 values");
    std::uint64_t power = bound;
    int batch = 1;
    while (batch < 8 && power <= kLargestPower / bound) {
      power *= bound;
      ++batch;
    }
    switch (batch) {
      case 8:
        return VisitBatches<8>(bound, count, visit);
      case 7:
        return VisitBatches<7>(bound, count, visit);
      case 6:
        return VisitBatches<6>(bound, count, visit);
      case 5:
        return VisitBatches<5>(bound, count, visit);
      case 4:
        return VisitBatches<4>(bound, count, visit);
      case 3:
        return VisitBatches<3>(bound, count, visit);
      case 2:
        return VisitBatches<2>(bound, count, visit);
      default:
        return VisitBatches<1>(bound, count, visit);
    }
  }

 private:
  __extension__ using Wide = unsigned __int128;

  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  // A word gives as many indices as keep bound^k below this, so that a word is rejected at most
  // once in 1024 times.
  static constexpr std::uint64_t kLargestPower = std::uint64_t{1} << 54;

  static std::uint64_t Mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // The first kBatch digits of (random word / 2^64) to the base `bound`, most significant first:
  // jointly uniform once the words with a too small remainder are rejected.
  template <int kBatch>
  void Digits(std::uint64_t bound, std::uint64_t rejected, std::uint64_t (&digits)[kBatch]) {
    std::uint64_t rest = 0;
    do {
      rest = Next();
      for (std::uint64_t& digit : digits) {
        const Wide product = static_cast<Wide>(rest) * bound;
        digit = static_cast<std::uint64_t>(product >> 64);
        rest = static_cast<std::uint64_t>(product);
      }
    } while (rest < rejected);
  }

  template <int kBatch, typename Visit>
  void VisitBatches(std::uint64_t bound, std::size_t count, Visit& visit) {
    std::uint64_t power = 1;
    for (int k = 0; k < kBatch; ++k) power *= bound;
    const std::uint64_t rejected = (0 - power) % power;  // 2^64 mod bound^kBatch
    std::uint64_t digits[kBatch];
    for (; count >= kBatch; count -= kBatch) {
      Digits(bound, rejected, digits);
      for (std::uint64_t digit : digits) visit(static_cast<std::size_t>(digit));
    }
    if (count == 0) return;
    Digits(bound, rejected, digits);
    for (std::size_t k = 0; k < count; ++k) visit(static_cast<std::size_t>(digits[k]));
  }

  std::uint64_t state_;
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_RANDOM_H_
