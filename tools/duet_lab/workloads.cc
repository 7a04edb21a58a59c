#include "tools/duet_lab/workloads.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

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

std::vector<uint32_t> RandomNumbers(std::size_t count) {
  std::vector<uint32_t> numbers(count);
  uint64_t x = OwnSeed();
  for (uint32_t& number : numbers) {
    x = NextRandom(x);
    number = static_cast<uint32_t>(x >> 32);
  }
  return numbers;
}

// Look-ups in a tree of 4096 keys.
class MapWork final : public Work {
 public:
  MapWork() {
    for (const uint32_t key : keys_) map_[key] = key;
  }
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      benchmark::DoNotOptimize(map_.find(keys_[next_++ % keys_.size()]));
    }
  }

 private:
  const std::vector<uint32_t> keys_ = RandomNumbers(4096);
  std::map<uint32_t, uint32_t> map_;
  std::size_t next_ = 0;
};

// Strings of up to 40 characters, made of three parts.
class StringWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::string text = "a value ";
      text += std::to_string(numbers_[next_++ % numbers_.size()]);
      text += " of a longer text";
      benchmark::DoNotOptimize(text.data());
    }
  }

 private:
  const std::vector<uint32_t> numbers_ = RandomNumbers(1024);
  std::size_t next_ = 0;
};

// Blocks of 16 to 527 bytes, 64 of which live at a time.
class AllocateWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      const uint32_t size = 16 + sizes_[next_++ % sizes_.size()] % 512;
      std::unique_ptr<char[]>& block = blocks_[next_ % blocks_.size()];
      block.reset(new char[size]);
      benchmark::DoNotOptimize(block.get());
    }
  }

 private:
  const std::vector<uint32_t> sizes_ = RandomNumbers(1024);
  std::array<std::unique_ptr<char[]>, 64> blocks_;
  std::size_t next_ = 0;
};

// Copies of 16 KiB.
class CopyWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::memcpy(to_.data(), from_.data(), from_.size());
      benchmark::DoNotOptimize(to_.data());
      benchmark::ClobberMemory();
    }
  }

 private:
  const std::vector<char> from_ = std::vector<char>(16384, 1);
  std::vector<char> to_ = std::vector<char>(16384);
};

// A switch over 1024 random operations.
class InterpreterWork final : public Work {
 public:
  void Run(int64_t units) override {
    uint32_t x = x_;
    for (int64_t i = 0; i < units; ++i) {
      const uint32_t code = codes_[next_++ % codes_.size()];
      switch (code % 8) {
        case 0:
          x += code;
          break;
        case 1:
          x ^= code;
          break;
        case 2:
          x *= code | 1;
          break;
        case 3:
          x = x << 3 | x >> 29;
          break;
        case 4:
          x -= code;
          break;
        case 5:
          x = ~x;
          break;
        case 6:
          x += x >> 7;
          break;
        default:
          x /= (code >> 28) + 1;
      }
      benchmark::DoNotOptimize(x);
    }
    x_ = x;
  }

 private:
  const std::vector<uint32_t> codes_ = RandomNumbers(1024);
  std::size_t next_ = 0;
  uint32_t x_ = 1;
};

// Numbers in a text, one after the other.
class ParseWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      char* end = nullptr;
      benchmark::DoNotOptimize(std::strtoul(text_.data() + at_, &end, 10));
      at_ = static_cast<std::size_t>(end - text_.data()) % (text_.size() - 1);
    }
  }

 private:
  const std::string text_ = absl::StrJoin(RandomNumbers(1024), " ") + " ";
  std::size_t at_ = 0;
};

// A heap of 1024 numbers, of which the largest is replaced.
class HeapWork final : public Work {
 public:
  void Run(int64_t units) override {
    for (int64_t i = 0; i < units; ++i) {
      std::pop_heap(heap_.begin(), heap_.end());
      x_ = NextRandom(x_);
      heap_.back() = static_cast<uint32_t>(x_ >> 32);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

 private:
  std::vector<uint32_t> heap_ = RandomNumbers(1024);
  uint64_t x_ = OwnSeed();
};

template <class Kind>
std::unique_ptr<Work> Make() {
  return std::make_unique<Kind>();
}

}  // namespace

const std::vector<Workload>& Workloads() {
  static const auto* const workloads = new std::vector<Workload>{
      {"integer", Make<IntegerWork>},   {"float", Make<FloatWork>},
      {"cache", Make<CacheWork>},       {"memory", Make<MemoryWork>},
      {"sort", Make<SortWork>},         {"map", Make<MapWork>},
      {"strings", Make<StringWork>},    {"allocate", Make<AllocateWork>},
      {"copy", Make<CopyWork>, true},   {"interpreter", Make<InterpreterWork>, true},
      {"parse", Make<ParseWork>, true}, {"heap", Make<HeapWork>, true},
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
