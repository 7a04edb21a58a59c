#include "tools/duet_lab/workloads.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/record/robust.h"

namespace duetbench::lab {
namespace {

// A step of Knuth's linear congruential generator; the upper bits are used.
uint64_t NextRandom(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

// Other numbers for each instance: a predictor of branches that has seen them with one variant
// knows them when the other one comes. Two sorts of the same numbers, one of which has 1 % more of
// them, took turns on one CPU with a ratio of 0.967.
uint64_t OwnSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

class IntegerWork final : public Work {
 public:
  void Run(int64_t units) override {
    uint64_t x = x_;
    for (int64_t i = 0; i < units * 16; ++i) {  // xorshift: registers only
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    x_ = x;
    benchmark::DoNotOptimize(x_);
  }

 private:
  uint64_t x_ = 88172645463325252u;
};

class FloatWork final : public Work {
 public:
  void Run(int64_t units) override {
    double x = x_;
    std::size_t k = k_;
    for (int64_t i = 0; i < units * 16; ++i) {
      x = x * 0.9375 + table_[k];
      k = (k + 1) % table_.size();
    }
    x_ = x;
    k_ = k;
    benchmark::DoNotOptimize(x_);
  }

 private:
  std::array<double, 512> table_ = [] {
    std::array<double, 512> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = 1.0 / static_cast<double>(i + 1);
    return table;
  }();
  double x_ = 1;
  std::size_t k_ = 0;
};

// A walk over the cache lines of a block of memory.
constexpr std::size_t kWordsPerLine = 64 / sizeof(uint64_t);

class CacheWork final : public Work {
 public:
  void Run(int64_t units) override {
    uint64_t sum = sum_;
    for (int64_t i = 0; i < units * 16; ++i) {
      sum += data_[next_];
      next_ = (next_ + kWordsPerLine) % data_.size();
    }
    sum_ = sum;
    benchmark::DoNotOptimize(sum_);
  }

 private:
  // Written, so that every page is separate memory.
  std::vector<uint64_t> data_ = std::vector<uint64_t>((std::size_t{4} << 20) / 8, 1);
  std::size_t next_ = 0;
  uint64_t sum_ = 0;
};

class MemoryWork final : public Work {
 public:
  void Run(int64_t units) override {
    uint64_t x = x_;
    for (int64_t i = 0; i < units * 4; ++i) {
      // Where the next load goes depends on what this one brought.
      x = NextRandom(x) + data_[(x >> 44) * kWordsPerLine];
    }
    x_ = x;
    benchmark::DoNotOptimize(x_);
  }

 private:
  std::vector<uint64_t> data_ = std::vector<uint64_t>((std::size_t{64} << 20) / 8, 1);
  uint64_t x_ = OwnSeed();
};
static_assert((std::size_t{64} << 20) / 64 == std::size_t{1} << (64 - 44));

class SortWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::array<uint32_t, 32> values;
      for (uint32_t& value : values) {
        x_ = NextRandom(x_);
        value = static_cast<uint32_t>(x_ >> 32);
      }
      std::sort(values.begin(), values.end());
      benchmark::DoNotOptimize(values);
    }
  }

 private:
  uint64_t x_ = OwnSeed();
};

template <class Kind>
std::unique_ptr<Work> Make() {
  return std::make_unique<Kind>();
}

}  // namespace

const std::vector<Workload>& Workloads() {
  static const auto* const workloads = new std::vector<Workload>{
      {"integer", Make<IntegerWork>}, {"float", Make<FloatWork>}, {"cache", Make<CacheWork>},
      {"memory", Make<MemoryWork>},   {"sort", Make<SortWork>},
  };
  return *workloads;
}

std::vector<std::string> WorkloadNames() {
  std::vector<std::string> names;
  for (const Workload& workload : Workloads()) names.emplace_back(workload.name);
  return names;
}

absl::StatusOr<const Workload*> FindWorkload(absl::string_view name) {
  for (const Workload& workload : Workloads()) {
    if (name == workload.name) return &workload;
  }
  return absl::NotFoundError(absl::StrCat("there is no workload '", name, "': use some of ",
                                          absl::StrJoin(WorkloadNames(), ", "),
                                          "; 'duet_lab replicate' measures unlike code"));
}

double MeasureUnitNs(const Workload& workload) {
  using Clock = std::chrono::steady_clock;
  const std::unique_ptr<Work> work = workload.make();
  std::vector<double> unit_ns;
  for (int repetition = 0; repetition < 6; ++repetition) {
    int64_t units = 0;
    int64_t batch = 1;
    const Clock::time_point begin = Clock::now();
    double ns = 0;
    while (ns < 4e6) {
      work->Run(batch);
      units += batch;
      batch *= 2;
      ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    }
    if (repetition > 0) unit_ns.push_back(ns / static_cast<double>(units));
  }
  return stats::Median(unit_ns);
}

}  // namespace duetbench::lab
