#include "tools/duet_lab/workloads.h"

#include <benchmark/benchmark.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/stats/robust.h"

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

class HashWork final : public Work {
 public:
  HashWork() {
    for (uint32_t i = 0; i < 10'000; ++i) map_.emplace(i * 7, i);
  }
  void Run(int64_t units) override {
    uint64_t found = 0;
    for (int64_t i = 0; i < units * 4; ++i) {
      x_ = NextRandom(x_);
      const auto it = map_.find(static_cast<uint32_t>(x_ >> 48));
      if (it != map_.end()) found += it->second;
    }
    benchmark::DoNotOptimize(found);
  }

 private:
  std::unordered_map<uint32_t, uint32_t> map_;
  uint64_t x_ = OwnSeed();
};

class StringWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::string text;
      for (int k = 0; k < 4; ++k) absl::StrAppend(&text, "key", i + k, "=value;");
      benchmark::DoNotOptimize(text.data());
    }
  }
};

class AllocationWork final : public Work {
 public:
  ~AllocationWork() override {
    for (void* block : blocks_) std::free(block);
  }
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units * 4; ++i) {
      x_ = NextRandom(x_);
      void*& block = blocks_[(x_ >> 33) % blocks_.size()];
      std::free(block);
      block = std::malloc(16 + (x_ >> 52) % 1024);
      benchmark::DoNotOptimize(block);
    }
  }

 private:
  std::array<void*, 256> blocks_{};
  uint64_t x_ = OwnSeed();
};

class MemcpyWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::memcpy(to_.data() + next_, from_.data() + next_, kBytes);
      next_ = (next_ + kBytes) % from_.size();
      benchmark::ClobberMemory();
    }
  }

 private:
  static constexpr std::size_t kBytes = 2048;
  std::vector<char> from_ = std::vector<char>(std::size_t{1} << 20, 'x');
  std::vector<char> to_ = std::vector<char>(std::size_t{1} << 20, 'y');
  std::size_t next_ = 0;
};

// A register machine whose program no branch predictor learns by heart.
class InterpreterWork final : public Work {
 public:
  InterpreterWork() {
    uint64_t x = 1;
    for (unsigned char& code : program_) {
      x = NextRandom(x);
      code = static_cast<unsigned char>((x >> 33) % 6);
    }
  }
  void Run(int64_t units) override {
    uint64_t a = a_;
    uint64_t b = 1;
    for (int64_t i = 0; i < units * 16; ++i) {
      switch (program_[next_]) {
        case 0:
          a += b;
          break;
        case 1:
          b ^= a;
          break;
        case 2:
          a = a << 3 | a >> 61;
          break;
        case 3:
          b = b * 3 + 1;
          break;
        case 4:
          if ((a & 1) != 0) a -= b;
          break;
        default:
          std::swap(a, b);
      }
      next_ = (next_ + 1) % program_.size();
    }
    a_ = a;
    benchmark::DoNotOptimize(b);
  }

 private:
  std::array<unsigned char, 16384> program_{};
  std::size_t next_ = 0;
  uint64_t a_ = 1;
};

class SyscallWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) benchmark::DoNotOptimize(syscall(SYS_getppid));
  }
};

// Registers, a cache that others share and the allocator, by turns.
class LongWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      integer_.Run(16);
      cache_.Run(16);
      allocation_.Run(4);
    }
  }

 private:
  IntegerWork integer_;
  CacheWork cache_;
  AllocationWork allocation_;
};

template <class Kind>
std::unique_ptr<Work> Make() {
  return std::make_unique<Kind>();
}

}  // namespace

const std::vector<Workload>& Workloads() {
  static const auto* const workloads = new std::vector<Workload>{
      {"integer", "integer loop in registers", true, 1, Make<IntegerWork>},
      {"float", "floating-point loop in the level 1 cache", true, 1, Make<FloatWork>},
      {"cache", "linear walk over 4 MiB", true, 1, Make<CacheWork>},
      {"memory", "random walk over 64 MiB", true, 1, Make<MemoryWork>},
      {"sort", "sorting 32 random numbers", false, 1, Make<SortWork>},
      {"hash", "look-ups in a hash map of 10,000 numbers", false, 1, Make<HashWork>},
      {"string", "building strings", false, 1, Make<StringWork>},
      {"allocation", "malloc and free of up to 1 KiB", false, 1, Make<AllocationWork>},
      {"memcpy", "copying 2 KiB within 1 MiB", false, 1, Make<MemcpyWork>},
      {"interpreter", "unpredictable branches", false, 1, Make<InterpreterWork>},
      {"syscall", "a system call that does nothing", false, 1, Make<SyscallWork>},
      {"long", "an operation of 20 ms of mixed work", false, 20, Make<LongWork>},
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
                                          absl::StrJoin(WorkloadNames(), ", ")));
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
