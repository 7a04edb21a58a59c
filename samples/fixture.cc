// A fixture: both variants are methods of one class, each with its own object that is set up
// before it and torn down after it, outside of what is timed.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

class Lookup : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    std::mt19937 random(1);
    for (int64_t i = 0; i < state.range(0); ++i) sorted_.push_back(static_cast<uint32_t>(random()));
    std::sort(sorted_.begin(), sorted_.end());
    tree_.insert(sorted_.begin(), sorted_.end());
  }
  void InTree(duetbench::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(tree_.count(Next()));
  }
  void InSortedVector(duetbench::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(std::binary_search(sorted_.begin(), sorted_.end(), Next()));
    }
  }

 private:
  uint32_t Next() { return sorted_[position_ = (position_ + 7919) % sorted_.size()]; }

  std::vector<uint32_t> sorted_;
  std::set<uint32_t> tree_;
  size_t position_ = 0;
};
DUET_BENCHMARK_F(Lookup, InTree, InSortedVector)->Range(64, 4096);

DUET_MAIN();
