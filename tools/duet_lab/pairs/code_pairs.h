#ifndef DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "duetbench/variant/state.h"

// Pairs of unlike code, for `duet_lab replicate`: the comparisons that people make.
namespace duetbench::lab {

// One function of a pair, in every form that it is measured and tested in. All forms execute the
// same machine code: the method Run() of the same class, which is not inlined.
struct PairSide {
  void (*duet)(State&);              // a loop of duetbench
  void (*plain)(benchmark::State&);  // a loop of Google Benchmark
  // The results of the first `steps` calls.
  std::vector<uint64_t> (*results)(int steps);
};

// Step i of old and of new have the same result.
struct PairSides {
  PairSide old_side;
  PairSide new_side;
};

// The side whose set-up is the constructor of `Side`, and whose iteration is this method of it:
//
//   ABSL_ATTRIBUTE_NOINLINE uint64_t Run();
template <class Side>
PairSide SideOf() {
  return {[](State& state) {
            Side side;
            Side* pointer = &side;
            benchmark::DoNotOptimize(pointer);  // Run() may depend on what other code writes
            for (auto _ : state) benchmark::DoNotOptimize(pointer->Run());
          },
          [](benchmark::State& state) {
            Side side;
            Side* pointer = &side;
            benchmark::DoNotOptimize(pointer);
            for (auto _ : state) benchmark::DoNotOptimize(pointer->Run());
          },
          [](int steps) {
            Side side;
            std::vector<uint64_t> results;
            for (int i = 0; i < steps; ++i) results.push_back(side.Run());
            return results;
          }};
}

template <class Old, class New>
PairSides SidesOf() {
  return {SideOf<Old>(), SideOf<New>()};
}

// Random numbers for the data of a pair: the same ones for both sides, and in every process
// (Knuth's linear congruential generator, its upper half).
class PairData {
 public:
  explicit PairData(uint64_t seed) : x_(seed) {}
  uint32_t Next() {
    x_ = x_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(x_ >> 32);
  }
  std::vector<uint32_t> Numbers(std::size_t n) {
    std::vector<uint32_t> numbers(n);
    for (uint32_t& number : numbers) number = Next();
    return numbers;
  }

 private:
  uint64_t x_;
};

// Takes the elements of a vector in turn, again and again.
template <class T>
class Cycle {
 public:
  explicit Cycle(std::vector<T> values) : values_(std::move(values)) {}
  const T& Next() {
    if (++next_ == values_.size()) next_ = 0;
    return values_[next_];
  }

 private:
  std::vector<T> values_;
  std::size_t next_ = 0;
};

// A tuning pair may be looked at while a policy is changed. A hold-out pair must not: it shows what
// the change does to code that it was not made for.
enum class PairSet { kTuning, kHoldOut };

struct CodePair {
  const char* name;  // of the duet; the name of no pair is part of another one's
  PairSet set;
  PairSides (*sides)();
};

// The pairs of a topic; each is in the file of this name.
void AddContainerPairs(std::vector<CodePair>* pairs);
void AddSortPairs(std::vector<CodePair>* pairs);
void AddTextPairs(std::vector<CodePair>* pairs);
void AddMemoryPairs(std::vector<CodePair>* pairs);
void AddCallPairs(std::vector<CodePair>* pairs);
void AddArithmeticPairs(std::vector<CodePair>* pairs);

// All pairs: 20 for tuning and 10 held out, of every kind of comparison.
const std::vector<CodePair>& CodePairs();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_
