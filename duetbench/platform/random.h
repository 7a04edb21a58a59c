#ifndef DUETBENCH_PLATFORM_RANDOM_H_
#define DUETBENCH_PLATFORM_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/string_view.h"
#include "duetbench/platform/require.h"

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

  // A random order of `values`, which are a vector or a span, each equally likely (Fisher-Yates).
  template <class Values>
  void Shuffle(Values& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(Below(i))]);
    }
  }

 private:
  __extension__ using Wide = unsigned __int128;

  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  static std::uint64_t Mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace duetbench::stats

namespace duetbench {

// FNV-1a: the same in every process, which std::hash does not promise.
inline uint64_t HashOfText(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_RANDOM_H_
