// SIMD against scalar, division, floating point.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {
namespace {

// Small whole numbers: their sums are exact in every order.
std::vector<float> SmallNumbers(uint64_t seed) {
  std::vector<float> numbers;
  for (const uint32_t number : PairData(seed).Numbers(2048)) {
    numbers.push_back(static_cast<float>(number % 16));
  }
  return numbers;
}

class ScalarProduct {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    float sum = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) sum += a_[i] * b_[i];
    return static_cast<uint64_t>(sum);
  }

 private:
  std::vector<float> a_ = SmallNumbers(15);
  std::vector<float> b_ = SmallNumbers(16);
};

class SimdProduct {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    Four sum = {0, 0, 0, 0};
    for (std::size_t i = 0; i < a_.size(); i += 4) sum += Load(&a_[i]) * Load(&b_[i]);
    return static_cast<uint64_t>(sum[0] + sum[1] + sum[2] + sum[3]);
  }

 private:
  using Four = float __attribute__((vector_size(16)));
  static Four Load(const float* from) {
    Four four;
    std::memcpy(&four, from, sizeof(four));
    return four;
  }

  std::vector<float> a_ = SmallNumbers(15);
  std::vector<float> b_ = SmallNumbers(16);
};

// 256 numbers modulo one that is known when the program runs, as for the buckets of a hash table.
class Remainder {
 public:
  Remainder() { benchmark::DoNotOptimize(buckets_); }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (const uint32_t number : numbers_) sum += number % buckets_;
    return sum;
  }

 private:
  std::vector<uint32_t> numbers_ = PairData(17).Numbers(256);
  uint32_t buckets_ = 1009;
};

// The same by two multiplications (Lemire, Kaser and Kurz, 2019).
class RemainderByProduct {
 public:
  RemainderByProduct() { benchmark::DoNotOptimize(buckets_); }
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    uint64_t sum = 0;
    for (const uint32_t number : numbers_) {
      const uint64_t fraction = inverse_ * number;
      sum += static_cast<uint64_t>((static_cast<Wide>(fraction) * buckets_) >> 64);
    }
    return sum;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::vector<uint32_t> numbers_ = PairData(17).Numbers(256);
  uint32_t buckets_ = 1009;
  uint64_t inverse_ = ~uint64_t{0} / 1009 + 1;
};

// The values of a polynomial at 64 small whole numbers, which are exact.
constexpr std::array<double, 6> kCoefficients = {3, 1, 4, 1, 5, 9};

std::vector<double> Abscissas() {
  std::vector<double> x;
  for (const uint32_t number : PairData(18).Numbers(64)) x.push_back(number % 32);
  return x;
}

class PolynomialByPow {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    double sum = 0;
    for (const double x : x_) {
      for (std::size_t k = 0; k < kCoefficients.size(); ++k) {
        sum += kCoefficients[k] * std::pow(x, static_cast<double>(k));
      }
    }
    return static_cast<uint64_t>(sum);
  }

 private:
  std::vector<double> x_ = Abscissas();
};

class PolynomialByHorner {
 public:
  ABSL_ATTRIBUTE_NOINLINE uint64_t Run() {
    double sum = 0;
    for (const double x : x_) {
      double value = 0;
      for (std::size_t k = kCoefficients.size(); k-- > 0;) value = value * x + kCoefficients[k];
      sum += value;
    }
    return static_cast<uint64_t>(sum);
  }

 private:
  std::vector<double> x_ = Abscissas();
};

}  // namespace

void AddArithmeticPairs(std::vector<CodePair>* pairs) {
  pairs->insert(
      pairs->end(),
      {
          // The product of vectors of 2048 floats.
          {"scalar_vs_simd", PairSet::kTuning, SidesOf<ScalarProduct, SimdProduct>},
          // 256 numbers modulo another one.
          {"division_vs_product", PairSet::kTuning, SidesOf<Remainder, RemainderByProduct>},
          // A polynomial at 64 places.
          {"pow_vs_horner", PairSet::kHoldOut, SidesOf<PolynomialByPow, PolynomialByHorner>},
      });
}

}  // namespace duetbench::lab
